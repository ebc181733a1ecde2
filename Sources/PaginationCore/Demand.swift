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

  var isLoaderVisibleAtEnd = false
  var isLoaderVisibleAtStart = false
  /// A loader at the start asks for one page an appearance.
  var isStartLoaderUsedUp = false
  /// Pages loaded for a loader since the last word about what is visible.
  var unseenPages = 0

  /// The last geometry, and whether nothing was added since it was sent.
  var geometry: Geometry?
  var isGeometryFresh = false
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
