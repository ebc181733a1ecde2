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
      var descriptor = pollfd(fd: pool.inboxDescriptor, events: Int16(POLLIN), revents: 0)
      _ = SystemCalls.wait(&descriptor, milliseconds: deadline - SystemCalls.now())
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

  @Test func jobsThatWaitForOthersNeverHaveAllThreads() throws {
    let pool = try #require(WorkerPool(maxThreads: 6, maxWaiting: 4))
    let gate = try #require(SystemCalls.makePipe())
    let began = try #require(SystemCalls.makePipe())
    for ticket in 0..<10 {
      pool.submit(session: Self.session, ticket: ticket, .wait, flag: CancellationFlag()) { _ in
        _ = write(began.write, [1], 1)
        var byte: UInt8 = 0
        _ = read(gate.read, &byte, 1)
        return .success(SourcePage())
      }
    }
    var byte: UInt8 = 0
    for _ in 0..<4 { _ = read(began.read, &byte, 1) }
    for ticket in 10..<60 {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in .success(SourcePage()) }
    }
    #expect(Set(wait(for: 50, in: pool).map(\.ticket)) == Set(10..<60))
    // Those that had no thread are taken up as the others end, in their order.
    var done: [Int] = []
    for _ in 0..<10 {
      _ = write(gate.write, [1], 1)
      done += wait(for: 1, in: pool).map(\.ticket)
    }
    #expect(done.sorted() == Array(0..<10))
    #expect(Set(done.prefix(4)) == Set(0..<4) || done.prefix(4).allSatisfy { $0 < 8 })
  }

  @Test func pagesThatFindNoRoomAreGivenUp() throws {
    let pool = try #require(WorkerPool(maxThreads: 1, maxPendingBytes: 100))
    func submit(_ ticket: Int, bytes: Int) {
      pool.submit(session: Self.session, ticket: ticket, flag: CancellationFlag()) { _ in
        .success(SourcePage(bytes: [UInt8](repeating: 0x31, count: bytes)))
      }
    }
    // Nothing is taken until the last of them has come.
    let last = CancellationFlag()
    for (ticket, bytes) in [60, 40, 1, 0, 500].enumerated() { submit(ticket, bytes: bytes) }
    pool.submit(session: Self.session, ticket: 5, flag: last) { flag in
      flag.cancel()
      return .failure(SourceError(.badPage, "no page"))
    }
    while !last.isCancelled { sched_yield() }
    let completions = wait(for: 6, in: pool)
    #expect(completions.map(\.ticket) == Array(0..<6))
    let errors = completions.map { completion -> SourceError? in
      if case .failure(let error) = completion.result { error } else { nil }
    }
    #expect(errors.map { $0?.code } == [nil, nil, .loadFailed, nil, .loadFailed, .badPage])
    #expect(errors[2]?.details == [.init(key: "limit", json: Array("100".utf8))])
    #expect(errors[2]?.retryable != false)
    // Room is made when they are taken; one page has room whatever its size.
    submit(6, bytes: 500)
    submit(7, bytes: 1)
    let more = wait(for: 2, in: pool)
    guard case .success(let page)? = more.first?.result else {
      Issue.record("the page was given up")
      return
    }
    #expect(page.bytes.count == 500)
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
