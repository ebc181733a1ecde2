import PaginationCore

/// All that a run depends on: settings, source and schedule, made from one number.
struct Scenario: Sendable {
  let seed: UInt64
  var settings = SessionSettings()
  var source = SourceShape()
  /// The share of tries that fail, in per cent.
  var faults = 0
  /// Whether the front end tells of each item that it inserts at the head.
  var tellsOfInserts = false
  var steps: [Step] = []

  init(seed: UInt64) {
    self.seed = seed
    var dice = Dice(seed: seed)
    settings = Scenario.settings(from: &dice)
    source = SourceShape.drawn(from: &dice, pageSize: settings.pageSize)
    faults = dice.pick([0, 0, 5, 20, 60])
    tellsOfInserts = dice.chance(percent: 50)
    if source.paging != .offset && source.count > 0 && dice.chance(percent: 20) {
      let start = CursorText(key: dice.below(min(source.count, 60)), ordinal: 0, mark: .forward)
      settings.start = StartPlace(firstCursor: start.text)
    }
    if !source.isDeduped(settings) {
      // Where nothing is deduped, nothing may come twice, or no item could be told from another.
      source.overlap = 0
      source.repeatsItems = false
      source.cycleAt = nil
      source.missingCursorAt = nil
    }
    let canBeFollowed = source.paging == .cursor && source.isDeduped(settings) && source.cycleAt == nil
    source.isFollowed = canBeFollowed && source.missingCursorAt == nil && dice.chance(percent: 30)
    let length = dice.pick([10, 30, 60, 120])
    steps = (0..<length).map { _ in Step.drawn(from: &dice) }
    if dice.chance(percent: 10) {
      steps.insert(Step(kind: .endInput, first: 0, second: 0), at: length * 3 / 4)
    }
  }

  /// Whether items may be inserted while the list is loaded: where nobody tells of them, a page that the window dropped
  /// would not be the same when it comes back.
  var allowsInserts: Bool {
    source.paging == .offset && source.isDeduped(settings) && (tellsOfInserts || settings.maxItems == nil)
  }

  private static func settings(from dice: inout Dice) -> SessionSettings {
    var settings = SessionSettings()
    settings.pageSize = dice.pick([1, 2, 3, 5, 8])
    let page = settings.pageSize
    settings.prefetchThreshold = dice.pick([0, 1, 1, page - 1, page, page + 1, 10 * page])
    settings.trigger = trigger(from: &dice)
    settings.autoload = dice.chance(percent: 85)
    settings.canLoadMore = dice.chance(percent: 95)
    settings.canRefresh = dice.chance(percent: 95)
    settings.endOn = dice.pick([.emptyPage, .shortPage, .never])
    settings.refreshMode = dice.pick([.keep, .keep, .clear])
    settings.refreshExtent = dice.pick([.first, .loaded, .anchor])
    settings.retry.retries = dice.below(4)
    settings.retry.initialDelayMs = dice.pick([0, 100, 500])
    settings.retry.maxDelayMs = dice.pick([200, 30_000])
    settings.retry.multiplier = dice.pick([1, 2])
    settings.retry.jitter = dice.pick([0, 0.5, 1])
    settings.rearmOnAppear = dice.chance(percent: 30)
    settings.timeoutMs = dice.pick([0, 1_000, 30_000, 30_000])
    settings.dedupe = dice.chance(percent: 85)
    settings.maxEmptyPages = dice.pick([1, 2, 5])
    settings.maxUnseenPages = dice.pick([1, 2, 5])
    if dice.chance(percent: 50) {
      let least = page + 2 * (settings.prefetchThreshold + 1)
      settings.maxItems = max(1, dice.pick([1, page, 2 * page, least - 1, least, least + 1, 4 * page, 50]))
    }
    if dice.chance(percent: 20) { settings.maxEventBytes = dice.pick([1, 20 * page, 50 * page]) }
    return settings
  }

  private static func trigger(from dice: inout Dice) -> SessionSettings.Trigger {
    switch dice.below(10) {
    case 0..<6: .item
    case 6..<8: .loader
    default:
      .distance(
        .init(
          limit: dice.pick([.absolute(30), .relative(0.5), .relative(0)]),
          heightGate: dice.pick([.until(milliseconds: 2_000), .always, .never])))
    }
  }

  /// The settings and the source, for people.
  var description: String {
    var lines = ["seed \(seed)"]
    lines.append("  settings: \(Trace.plain(settings))")
    lines.append("  source: \(Trace.plain(source))")
    lines.append("  faults \(faults) %, the front end \(tellsOfInserts ? "tells" : "does not tell") of what it inserts")
    return lines.joined(separator: "\n")
  }
}
