/// What the front end has shown that it needs: remembered, so that no demand is lost while a load runs.
struct Demand: Equatable {
  /// The geometry of the front end's scroll view, in its own unit.
  struct Geometry: Equatable {
    var offset: Double
    var viewport: Double
    var content: Double
  }

  /// The content's height at a fire whose load added items; until it differs the gate is shut.
  struct HeightGate: Equatable {
    var content: Double
    var firedAt: Milliseconds
  }

  /// The furthest position seen towards the end.
  var end: Int?
  /// The furthest position seen towards the start; used up by the prepend that it caused.
  var start: Int?

  /// The positions on the screen, as far as known: the range that was said last, or, where none was, the latest
  /// appearance.
  private(set) var visible: ClosedRange<Int>?
  private var isVisibleSaid = false

  /// Pages loaded for a loader since the last word about what is visible.
  var unseenPages = 0

  var isLoaderVisibleAtEnd = false
  var isLoaderVisibleAtStart = false
  /// A loader at the start asks for one page an appearance.
  var isStartLoaderUsedUp = false

  /// The last geometry, and at which edges it still counts: nothing was added since it was sent, or it is to be weighed
  /// again all the same.
  var geometry: Geometry?
  private var isGeometryFreshAtEnd = false
  private var isGeometryFreshAtStart = false
  /// How often this geometry has been weighed again by itself.
  private var renewals = 0
  var endGate: HeightGate?
  var startGate: HeightGate?
  /// The geometry that started the load which runs at each edge.
  var endFire: HeightGate?
  var startFire: HeightGate?

  /// An item was seen, which says what is visible as long as no range has.
  mutating func noteSeen(_ position: Int) {
    if !isVisibleSaid { visible = position...position }
  }

  /// The front end said what is visible, or its place was found again in another list.
  mutating func noteVisible(_ range: ClosedRange<Int>, isSaid: Bool) {
    visible = range
    isVisibleSaid = isSaid
  }

  func isLoaderVisible(at edge: Edge) -> Bool {
    switch edge {
    case .start: isLoaderVisibleAtStart
    case .end: isLoaderVisibleAtEnd
    }
  }

  func isGeometryFresh(at edge: Edge) -> Bool {
    switch edge {
    case .start: isGeometryFreshAtStart
    case .end: isGeometryFreshAtEnd
    }
  }

  /// A geometry was sent, and counts at both edges.
  mutating func noteGeometry(_ sent: Geometry) {
    geometry = sent
    renewals = 0
    isGeometryFreshAtEnd = true
    isGeometryFreshAtStart = true
  }

  /// Items were added, whichever the edge: the geometry is that of content that has changed.
  mutating func ageGeometry() {
    isGeometryFreshAtEnd = false
    isGeometryFreshAtStart = false
  }

  /// The last geometry is to be weighed again at one edge, as often as `bound` allows: it may be all that the front end
  /// will ever say.
  mutating func renewGeometry(at edge: Edge, bound: Int) {
    guard geometry != nil, renewals < bound else { return }
    renewals += 1
    switch edge {
    case .start: isGeometryFreshAtStart = true
    case .end: isGeometryFreshAtEnd = true
    }
  }

  /// The load that a geometry started has ended without a page: it shuts no gate.
  mutating func forgetFire(at edge: Edge) {
    switch edge {
    case .start: startFire = nil
    case .end: endFire = nil
    }
  }

  func gate(at edge: Edge) -> HeightGate? {
    switch edge {
    case .start: startGate
    case .end: endGate
    }
  }
}
