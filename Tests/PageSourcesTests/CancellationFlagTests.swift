import Synchronization
import Testing

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct CancellationFlagTests {
  @Test func waitingEndsAtOnceWhereTheFlagIsRaised() {
    let flag = CancellationFlag()
    var nothing: [pollfd] = []
    flag.cancel()
    #expect(flag.wait(for: &nothing) == 0)
    #expect(nothing.isEmpty)
  }

  @Test func raisingTheFlagEndsAWaitOnAnotherThread() {
    let flag = CancellationFlag()
    let waiter = Unmanaged.passRetained(flag)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var thread = startThread(waiter)
    var byte = pollfd(fd: flag.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&byte, 1, 0) == 0)
    flag.cancel()
    #expect(joinThread(&thread))
    #expect(poll(&byte, 1, 0) == 1)
  }

  @Test func aReadyDescriptorIsCountedAndTheFlagsOwnIsNot() {
    let flag = CancellationFlag()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var waiting = [pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)]
    #expect(flag.wait(for: &waiting, milliseconds: 0) == 0)
    write(ends[1], "x", 1)
    #expect(flag.wait(for: &waiting) == 1)
    #expect(waiting.count == 1)
    #expect(waiting[0].revents != 0)
  }

  @Test func aDescriptorAskedForAfterwardsIsReadableAtOnce() {
    let flag = CancellationFlag()
    flag.cancel()
    var mark = pollfd(fd: flag.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&mark, 1, 0) == 1)
  }

  @Test func anActionRunsOnceAndOnlyWhileItIsNamed() {
    let calls = Mutex(0)
    let flag = CancellationFlag()
    let value = flag.interrupting(by: { calls.withLock { $0 += 100 } }) { 7 }
    #expect(value == 7)
    let token = flag.addAction { calls.withLock { $0 += 10 } }
    flag.removeAction(token)
    _ = flag.addAction { calls.withLock { $0 += 1 } }
    flag.cancel()
    flag.cancel()
    #expect(calls.withLock { $0 } == 1)
    flag.interrupting(by: { calls.withLock { $0 += 1 } }) {}
    #expect(calls.withLock { $0 } == 2)
  }

  #if canImport(Glibc)
    private typealias Thread = pthread_t
  #else
    private typealias Thread = pthread_t?
  #endif

  private func startThread(_ flag: Unmanaged<CancellationFlag>) -> Thread {
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    #expect(pthread_create(&thread, nil, waitForFlag, flag.toOpaque()) == 0)
    return thread
  }

  private func joinThread(_ thread: inout Thread) -> Bool {
    #if canImport(Glibc)
      pthread_join(thread, nil) == 0
    #else
      thread.map { pthread_join($0, nil) == 0 } ?? false
    #endif
  }
}

private func waitForFlag(_ flag: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let flag else { return nil }
  let taken = Unmanaged<CancellationFlag>.fromOpaque(flag).takeRetainedValue()
  var nothing: [pollfd] = []
  while !taken.isCancelled { _ = taken.wait(for: &nothing) }
  return nil
}
