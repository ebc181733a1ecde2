import Testing

@testable import PaginationCore

/// Failures of single tries: the schedule, time-outs, and what ends the retrying.
@Suite struct RetryTests {
  // MARK: Figures

  @Test func theDefaultScheduleDoublesFromHalfASecond() {
    let policy = RetryPolicy()
    let delays = (1...9).map { policy.backoff(beforeRetry: $0) }
    #expect(delays == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
  }

  @Test func jitterSpreadsADelayEvenlyBothWays() {
    let policy = RetryPolicy()
    #expect(policy.delay(beforeRetry: 1, random: 0) == 250)
    #expect(policy.delay(beforeRetry: 1, random: 0.5) == 500)
    #expect(policy.delay(beforeRetry: 1, random: 0.999999) == 750)
    #expect(policy.delay(beforeRetry: 3, random: 0.25) == 1500)
  }

  /// The bound is that of the delay before jitter.
  @Test func jitterMayExceedTheLongestDelay() {
    #expect(RetryPolicy().delay(beforeRetry: 20, random: 0.999999) == 45000)
  }

  @Test func withoutJitterTheFactorIsOne() {
    var policy = RetryPolicy()
    policy.jitter = 0
    #expect([0, 0.3, 0.99].map { policy.delay(beforeRetry: 2, random: $0) } == [1000, 1000, 1000])
  }

  @Test func aMultiplierOfOneKeepsTheDelay() {
    var policy = RetryPolicy()
    policy.multiplier = 1
    #expect(policy.backoff(beforeRetry: 1) == 500)
    #expect(policy.backoff(beforeRetry: .max) == 500)
  }

  @Test func roundingIsDoneOnceAtTheEnd() {
    var policy = RetryPolicy()
    policy.initialDelayMs = 1
    policy.multiplier = 1.5
    #expect((1...5).map { policy.backoff(beforeRetry: $0) } == [1, 2, 2, 3, 5])
    policy.jitter = 0.5
    #expect(policy.delay(beforeRetry: 2, random: 1) == 2)
  }

  @Test func noSettingMakesTheScheduleTrap() {
    let numbers = [0, 1, -1, Int.max, Int.min, 1 << 53]
    let factors = [0, -1, 1, 1e300, .infinity, -.infinity, .nan]
    var policy = RetryPolicy()
    for (initial, longest) in numbers.flatMap({ initial in numbers.map { (initial, $0) } }) {
      for (multiplier, jitter) in factors.flatMap({ multiplier in factors.map { (multiplier, $0) } }) {
        policy.initialDelayMs = initial
        policy.maxDelayMs = longest
        policy.multiplier = multiplier
        policy.jitter = jitter
        for number in [1, 2, 5, Int.max] {
          #expect(policy.delay(beforeRetry: number, random: 0.7) >= 0)
          #expect(policy.backoff(beforeRetry: number) >= 0)
        }
      }
    }
  }

  // MARK: Tries

  @Test func aFailedTryIsToldAndTriedAgainUnderANewTicket() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.now = 1_000
    probe.fail()
    #expect(
      probe.commands == [
        .cancelTimer(.timeout(ticket: 2)),
        .loadFailed(
          .more, generation: 1, LoadFailure(reason: .source(error: Array("down".utf8)), isRetryable: true),
          attempt: 1, retryInMs: 500),
        .setTimer(.retry(ticket: 2), afterMs: 500),
      ])
    #expect(probe.session.isLoading(.more))
    #expect(probe.session.pendingRetryInMs(now: 1_100) == 400)
    #expect(probe.session.pendingRetryInMs(now: 9_000) == 0)
    probe.fireNextTimer()
    #expect(
      probe.commands.dropFirst() == [
        .setTimer(.timeout(ticket: 3), afterMs: 30_000),
        .fetch(
          Fetch(ticket: 3, kind: .more, generation: 1, place: PagePlace(page: 1, offset: 20), limit: 20, attempt: 2)),
      ])
    #expect(probe.session.pendingRetryInMs(now: 1_500) == nil)
  }

  @Test func afterTheRetriesTheFailureStands() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.loadMore(1)
    var told: [String] = []
    for _ in 0..<4 {
      probe.fail()
      told += probe.news
      if !probe.timers.isEmpty { probe.fireNextTimer() }
    }
    #expect(
      told == [
        "failed more g1 down try 1 again in 500", "failed more g1 down try 2 again in 1000",
        "failed more g1 down try 3 again in 2000", "failed more g1 down try 4", "ended more g1 failed", "fail 1 down",
      ])
    #expect(probe.session.count == 20)
    #expect(probe.timers.isEmpty)
    #expect(probe.appear(19).decision == .latched)
  }

  @Test func aTryThatSucceedsEndsTheSchedule() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.fail()
    probe.fireNextTimer()
    probe.arrive(20..<40, hasMore: true)
    #expect(probe.news.last == "answer 1 loaded +20")
    probe.loadMore(2)
    probe.fail()
    #expect(probe.news == ["failed more g1 down try 1 again in 500"])
  }

  @Test func withoutRetriesTheFirstFailureStands() {
    var probe = Probe.loaded(20) { $0.retry.retries = 0 }
    probe.loadMore(1)
    probe.fail()
    #expect(probe.news == ["failed more g1 down try 1", "ended more g1 failed", "fail 1 down"])
  }

  @Test func whatCannotHelpIsNotRetried() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.fail("refused", retryable: false)
    #expect(probe.news == ["failed more g1 refused try 1", "ended more g1 failed", "fail 1 refused"])
  }

  @Test func theSourcesOwnDelayTakesThePlaceOfTheSchedule() {
    var probe = Probe.loaded(20)
    probe.random = 0.9
    probe.loadMore()
    probe.fail(retryAfter: 7_000)
    #expect(probe.news == ["failed more g1 down try 1 again in 7000"])
    #expect(probe.timers[.retry(ticket: 2)] == 7_000)
    probe.fireNextTimer()
    probe.fail(retryAfter: 0)
    #expect(probe.news == ["failed more g1 down try 2 again in 0"])
  }

  @Test func aDelayLongerThanTheLongestEndsTheRetrying() {
    var probe = Probe.loaded(20)
    probe.loadMore(1)
    probe.fail(retryAfter: 30_001)
    #expect(probe.news == ["failed more g1 down try 1", "ended more g1 failed", "fail 1 down"])
    #expect(probe.session.failure(of: .more)?.retryAfterMs == 30_001)
    probe.loadMore()
    probe.fail(retryAfter: 30_000)
    #expect(probe.news == ["failed more g1 down try 1 again in 30000"])
  }

  @Test func theSourcesDelayCountsAgainstTheNumberOfRetries() {
    var probe = Probe.loaded(20) { $0.retry.retries = 1 }
    probe.loadMore()
    probe.fail(retryAfter: 10)
    probe.fireNextTimer()
    probe.fail(retryAfter: 10)
    #expect(probe.news == ["failed more g1 down try 2", "ended more g1 failed"])
  }

  @Test(arguments: [false, true])
  func loadMoreTriesNowWhileARetryWaits(isNotification: Bool) {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.fail()
    probe.loadMore(isNotification ? nil : 1)
    #expect(probe.lines == ["fetch more g1 page 1 offset 20 try 2"])
    #expect(probe.timers.count == 1)
    probe.fire(.retry(ticket: 2))
    #expect(probe.commands == [])
    probe.arrive(20..<40)
    #expect(probe.news.last == (isNotification ? "ended more g1 loaded" : "answer 1 coalesced +20"))
  }

  @Test func demandDuringTheWaitForARetryIsLoading() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.fail()
    #expect(probe.appear(19).decision == .loading)
    #expect(probe.commands == [])
  }

  // MARK: Time-outs

  @Test func aTryThatTakesTooLongIsEndedAndRetried() {
    var probe = Probe.loaded(20) { $0.timeoutMs = 700 }
    probe.loadMore()
    probe.fireNextTimer()
    #expect(probe.now == 700)
    #expect(probe.lines == ["cancel fetch #2", "failed more g1 timeout 700 try 1 again in 500"])
    probe.fireNextTimer()
    #expect(probe.timers == [.timeout(ticket: 3): 1_900])
  }

  @Test func anAnswerAfterTheTimeOutIsIgnored() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.fireNextTimer()
    probe.arrive(20..<40, ticket: 2)
    #expect(probe.commands == [])
    #expect(probe.session.count == 20)
    probe.fireNextTimer()
    probe.arrive(20..<40, ticket: 2)
    #expect(probe.commands == [])
    probe.arrive(20..<40, ticket: 3)
    #expect(probe.session.count == 40)
  }

  @Test func aTimeOutThatComesTooLateIsIgnored() {
    var probe = Probe.loaded(20)
    probe.loadMore()
    probe.arrive(20..<40)
    probe.fire(.timeout(ticket: 2))
    #expect(probe.commands == [])
  }

  @Test func withoutATimeOutThereIsNoTimer() {
    var probe = Probe { $0.timeoutMs = 0 }
    probe.open()
    #expect(probe.commands.count == 2)
    #expect(probe.timers.isEmpty)
    probe.arrive(0..<20)
    #expect(probe.commands.count == 2)
  }

  // MARK: Rearming

  @Test func withoutRearmNoAppearanceTriesAgain() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.failForGood()
    probe.show(0, 5)
    probe.now = 1_000_000
    #expect(probe.show(0, 19).decision == .latched)
    #expect(probe.appear(19).decision == .latched)
  }

  @Test func withRearmAnItemTriesAgainAfterTheRetryDelay() {
    var probe = Probe.loaded(20) { $0.rearmOnAppear = true }
    probe.appear(19)
    probe.failForGood()
    probe.now = 499
    #expect(probe.appear(19).decision == .latched)
    probe.now = 500
    #expect(probe.appear(19).decision == .started)
    #expect(probe.lines == ["loading more g1", "fetch more g1 page 1 offset 20"])
  }

  @Test func withRearmARangeTriesAgainAfterItLeftTheZone() {
    var probe = Probe.loaded(20) { $0.rearmOnAppear = true }
    probe.show(10, 19)
    probe.failForGood()
    probe.now = 10_000
    #expect(probe.show(12, 19).decision == .latched)
    #expect(probe.show(0, 9).decision == .idle)
    #expect(probe.show(12, 19).decision == .started)
  }

  @Test func withRearmALoaderTriesAgainAfterItWasGone() {
    var probe = Probe.loaded(20) {
      $0.rearmOnAppear = true
      $0.trigger = .loader
    }
    probe.loaderAppears()
    probe.failForGood()
    #expect(probe.loaderAppears() == .latched)
    probe.loaderDisappears()
    #expect(probe.loaderAppears() == .started)
  }

  @Test func withRearmGeometryTriesAgainAfterItLeftTheZone() {
    var probe = Probe.loaded(20) {
      $0.rearmOnAppear = true
      $0.trigger = .distance(.init(limit: .absolute(50)))
    }
    #expect(probe.scroll(to: 880, content: 1000).decision == .started)
    probe.failForGood()
    #expect(probe.scroll(to: 890, content: 1000).decision == .latched)
    #expect(probe.scroll(to: 200, content: 1000).decision == .idle)
    #expect(probe.scroll(to: 880, content: 1000).decision == .started)
  }

  // MARK: What a latch keeps

  @Test(arguments: [Edge.end, .start])
  func aFailureKeepsItemsAndAsksForTheSamePageAgain(_ edge: Edge) {
    var probe = Probe.loaded(20, next: Probe.cursor("n"), previous: Probe.cursor("p"))
    edge == .end ? probe.loadMore() : probe.loadPrevious()
    let place = probe.fetches.first?.place
    probe.failForGood()
    #expect(probe.facts == "20 previous more items")
    #expect(probe.session.failure(of: edge == .end ? .more : .previous) != nil)
    #expect(probe.session.failure(of: edge == .end ? .previous : .more) == nil)
    edge == .end ? probe.loadMore(1) : probe.loadPrevious(1)
    #expect(probe.fetches.first?.place == place)
    #expect(probe.fetches.first?.attempt == 1)
    #expect(probe.session.failure(of: edge == .end ? .more : .previous) == nil)
  }

  @Test func aLatchAtOneEdgeLeavesTheOtherAlone() {
    var probe = Probe.loaded(20, previous: Probe.cursor("p"))
    probe.loadPrevious()
    probe.failForGood()
    #expect(probe.appear(19).decision == .started)
    #expect(probe.appear(0).previous == .latched)
  }

  @Test func aRefreshsCommitLiftsTheLatch() {
    var probe = Probe.loaded(20)
    probe.appear(19)
    probe.failForGood()
    probe.refresh()
    #expect(probe.session.failure(of: .more) != nil)
    probe.arrive(0..<20)
    #expect(probe.session.failure(of: .more) == nil)
  }
}
