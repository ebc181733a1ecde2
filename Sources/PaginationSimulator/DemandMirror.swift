import PaginationCore

/// What the front end has shown that it needs, kept apart from the core by the words of the protocol.
struct DemandMirror {
  /// The geometry with which a load started.
  struct Fire: Equatable {
    var content: Double
    var at: Milliseconds
  }

  struct Geometry {
    var offset: Double
    var viewport: Double
    var content: Double
  }

  let settings: SessionSettings
  var furthest: [Int?] = [nil, nil]
  var visible: ClosedRange<Int>?
  var isRangeSaid = false
  var isLoaderVisible = [false, false]
  var isStartLoaderUsedUp = false
  var unseenPages = 0
  var geometry: Geometry?
  var isGeometryFresh = [false, false]
  var gates: [Fire?] = [nil, nil]
  var renewals = 0

  init(settings: SessionSettings) { self.settings = settings }

  static func index(_ edge: Edge) -> Int { edge == .end ? 0 : 1 }

  mutating func sees(_ position: Int) {
    if !isRangeSaid { visible = position...position }
    unseenPages = 0
    guard settings.trigger == .item else { return }
    furthest[0] = max(furthest[0] ?? position, position)
    furthest[1] = min(furthest[1] ?? position, position)
  }

  mutating func shows(_ range: ClosedRange<Int>) {
    visible = range
    isRangeSaid = true
    unseenPages = 0
    guard settings.trigger == .item else { return }
    furthest = [range.upperBound, range.lowerBound]
  }

  /// Whether so few items lie between a position and an edge that more are wanted there.
  func isInZone(_ position: Int, of edge: Edge, first: Int, last: Int) -> Bool {
    let distance = edge == .end ? last - position : position - first
    return distance <= max(0, settings.prefetchThreshold)
  }

  func isNear(_ edge: Edge) -> Bool {
    guard case .distance(let trigger) = settings.trigger, let geometry else { return false }
    let limit =
      switch trigger.limit {
      case .absolute(let length): length
      case .relative(let share): share * geometry.viewport
      }
    let distance = edge == .end ? geometry.content - geometry.offset - geometry.viewport : geometry.offset
    return distance < limit
  }

  func isGateOpen(_ edge: Edge, now: Milliseconds) -> Bool {
    guard case .distance(let trigger) = settings.trigger, let gate = gates[Self.index(edge)] else { return true }
    if let geometry, geometry.content != gate.content { return true }
    switch trigger.heightGate {
    case .never: return true
    case .always: return false
    case .until(let milliseconds): return now - gate.at >= milliseconds
    }
  }

  /// Whether the demand at an edge asks for a page now.
  func holds(_ edge: Edge, first: Int, last: Int, now: Milliseconds) -> Bool {
    if !settings.canLoadMore { return false }
    switch settings.trigger {
    case .item:
      guard let position = furthest[Self.index(edge)] else { return false }
      return isInZone(position, of: edge, first: first, last: last)
    case .loader:
      guard isLoaderVisible[Self.index(edge)] else { return false }
      return edge == .end ? unseenPages < settings.maxUnseenPages : !isStartLoaderUsedUp
    case .distance:
      return isGeometryFresh[Self.index(edge)] && isNear(edge) && isGateOpen(edge, now: now)
    }
  }

  /// The gate at an edge has opened by itself: the last geometry counts again, a bounded number of times.
  mutating func renew(_ edge: Edge) {
    guard geometry != nil, renewals < settings.maxUnseenPages else { return }
    renewals += 1
    isGeometryFresh[Self.index(edge)] = true
  }

  /// A page has been added at an edge by a load that this geometry, if any, had started.
  mutating func pageCame(at edge: Edge, added: Int, fire: Fire?) {
    if edge == .end && isLoaderVisible[0] { unseenPages += 1 }
    if added == 0 { return }
    if edge == .start {
      furthest[1] = nil
      isStartLoaderUsedUp = true
    }
    // Geometry from before an append is old after it, unless it told of another height meanwhile.
    if fire == nil || geometry?.content == fire?.content { isGeometryFresh = [false, false] }
    if let fire { gates[Self.index(edge)] = fire }
  }

  /// What was dropped takes the demand in it, and in the zone of the new edge, along.
  mutating func dropped(at edge: Edge, first: Int, last: Int) {
    let index = Self.index(edge)
    guard let position = furthest[index], isInZone(position, of: edge, first: first, last: last) else { return }
    furthest[index] = edge == .end ? visible?.upperBound : visible?.lowerBound
  }

  /// Positions and geometry mean nothing in another list; a visible loader stays visible.
  mutating func forgetPlaces() {
    var fresh = DemandMirror(settings: settings)
    fresh.isLoaderVisible = isLoaderVisible
    fresh.isStartLoaderUsedUp = isStartLoaderUsedUp
    self = fresh
  }
}
