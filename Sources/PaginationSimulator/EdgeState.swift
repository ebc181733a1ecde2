import PaginationCore

/// What stands at an edge of the list, by what the core has said.
struct EdgeState {
  /// The failure that stands.
  var latch: LoadFailure?
  /// The failure that stands behind pages that the window dropped.
  var shelved: LoadFailure?
  /// Pages dropped by the window, the nearest last.
  var dropped: [FrontEnd.PageKey] = []
  /// Loads in a row that added nothing.
  var emptyRun = 0
  /// Auto-loading has stopped for want of progress.
  var isPaused = false
  /// Auto-loading has stopped for want of a word about what is visible.
  var isUnseen = false
  /// A cancel has left demand unweighed.
  var isForgiven = false
  /// What a load that begins may have to give back.
  struct Former {
    var latch: LoadFailure?
    var isPaused: Bool
    var isUnseen: Bool
  }

  var former: Former { Former(latch: latch, isPaused: isPaused, isUnseen: isUnseen) }

  mutating func begin() {
    latch = nil
    isPaused = false
    isUnseen = false
    isForgiven = false
  }

  mutating func restore(_ former: Former) {
    latch = former.latch
    isPaused = former.isPaused
    isUnseen = former.isUnseen
  }
}

/// What a refresh has gathered, and what it must bring over from the old list.
struct Gathering {
  struct Page {
    let place: PagePlace
    let items: [Item]
  }

  var pages: [Page] = []
  /// Whether, after each page, another was wanted.
  var wants: [Bool] = []
  var duplicates = 0
  var total: Int?
  /// The old list's demand, by item, taken when the list was cleared or replaced.
  var carried: Carried?
  /// Whether this refresh itself has emptied the list.
  var hasCleared = false
  var formerCount = 0
  var maxPages = 0
  var extent = SessionSettings.RefreshExtent.first
  var bytes = 0
  /// The cursor that its first page must be asked for by.
  var firstCursor: Cursor?

  struct Carried {
    var endPosition: Int?
    var end: Item?
    var start: Item?
    var visible: [Item]
  }

  var items: [Item] { pages.flatMap(\.items) }

  var emptyRun: Int { pages.reversed().prefix { $0.items.isEmpty }.count }
}

/// How a session stands to the token that it was opened with.
struct ResumeState {
  /// The place that the token names, until the first page has come.
  var place: PagePlace?
  /// What the first page must say.
  var isTold = true
  /// Whether the list began anywhere but at its own start.
  var isElsewhere = false
  /// Whether some earlier pages did not fit into the token.
  var isCut = false
}
