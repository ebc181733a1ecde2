import PageSources
import Testing

@testable import PagewireServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct WorkerPoolTests {
  private static let session = SessionNumber(slot: 0, serial: 1)

  /// Waits, for ten seconds at most, until so many completions have come.
  private func wait(for count: Int, in pool: WorkerPool) -> [WorkerPool.Completion] {
    var completions: [WorkerPool.Completion] = []
    let deadline = SystemCalls.now() + 10_000
    while completions.count < count, SystemCalls.now() < deadline {
      var descriptors = [pollfd(fd: pool.inboxDescriptor, events: Int16(POLLIN), revents: 0)]
      _ = SystemCalls.wait(&descriptors, milliseconds: deadline - SystemCalls.now())
      completions += pool.takeCompletions()
    }
    return completions
  }

  private func page(_ total: Int) -> Result<SourcePage, SourceError> { .success(SourcePage(total: total)) }

  @Test func twoHundredJobsComeBackOnceEach() throws {
    let pool = try #require(WorkerPool())
    for ticket in 0..<200 {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in
        .success(SourcePage(total: ticket))
      }
    }
    let completions = wait(for: 200, in: pool)
    #expect(completions.map(\.ticket).sorted() == Array(0..<200))
    #expect(completions.allSatisfy { $0.result == page($0.ticket) && $0.session == Self.session })
  }

  @Test func jobsThatHangDoNotHoldUpOthers() throws {
    let pool = try #require(WorkerPool(maxThreads: 3))
    let gate = try #require(SystemCalls.makePipe())
    for ticket in 0..<2 {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in
        var byte: UInt8 = 0
        _ = read(gate.read, &byte, 1)
        return .success(SourcePage())
      }
    }
    for ticket in 2..<52 {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in .success(SourcePage()) }
    }
    #expect(wait(for: 50, in: pool).map(\.ticket) == Array(2..<52))
    _ = write(gate.write, [1, 1], 2)
    #expect(wait(for: 2, in: pool).count == 2)
  }

  @Test func aJobSeesThatItIsCancelled() throws {
    let pool = try #require(WorkerPool(maxThreads: 1))
    let flag = CancellationFlag()
    let hasStarted = CancellationFlag()
    pool.submit(session: Self.session, ticket: 1, flag: flag) { flag in
      hasStarted.cancel()
      while !flag.isCancelled { sched_yield() }
      return .failure(SourceError(.loadFailed, "seen"))
    }
    let waiting = CancellationFlag()
    let hasRun = CancellationFlag()
    pool.submit(session: Self.session, ticket: 2, flag: waiting) { _ in
      hasRun.cancel()
      return .success(SourcePage())
    }
    waiting.cancel()
    while !hasStarted.isCancelled { sched_yield() }
    flag.cancel()
    let completions = wait(for: 2, in: pool)
    #expect(completions.map(\.ticket) == [1, 2])
    #expect(completions.first?.result == .failure(SourceError(.loadFailed, "seen")))
    #expect(!hasRun.isCancelled)
  }

  @Test func whereNoThreadCanBeStartedTheJobFails() throws {
    // No system has an address space for such a stack.
    let pool = try #require(WorkerPool(stackBytes: 1 << 60))
    pool.submit(session: Self.session, ticket: 4, flag: CancellationFlag()) { _ in .success(SourcePage()) }
    let completions = wait(for: 1, in: pool)
    #expect(completions.map(\.ticket) == [4])
    guard case .failure(let error)? = completions.first?.result else {
      Issue.record("the job did not fail")
      return
    }
    #expect(error.code == .loadFailed)
    #expect(error.retryable != false)
  }

  @Test func moreJobsThanAPipeHoldsDoNotBlockWhoSubmitsThem() throws {
    let pool = try #require(WorkerPool(maxThreads: 1))
    let gate = try #require(SystemCalls.makePipe())
    pool.submit(session: Self.session, ticket: 0, flag: CancellationFlag()) { _ in
      var byte: UInt8 = 0
      _ = read(gate.read, &byte, 1)
      return .success(SourcePage())
    }
    for ticket in 1...70_000 {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in .success(SourcePage()) }
    }
    _ = write(gate.write, [1], 1)
    #expect(wait(for: 70_001, in: pool).count == 70_001)
  }
}
