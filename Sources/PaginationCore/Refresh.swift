/// A refresh from its beginning to its commit.
///
/// It gathers a list of its own; nothing of it shows before.
struct Refresh {
  /// Where demand was, to be found again in the new list.
  struct Carried: Equatable {
    var endID: Fingerprint?
    var endPosition: Int?
    var startID: Fingerprint?
    /// The first and the last item on the screen, as far as known.
    var visibleIDs: [Fingerprint]
  }

  /// The number that becomes the list's when the refresh commits.
  let generation: Int
  let extent: SessionSettings.RefreshExtent
  /// The cursor of the first page.
  let firstCursor: Cursor?
  /// Whether the old list is gone already (`clear`).
  var hasCleared = false
  /// What the old list's demand was when it was cleared.
  var carried: Carried?

  /// The page that is being fetched; its kind is `refresh`.
  var load: Load

  /// What has been fetched so far.
  var list = LoadedList()
  var arrivals = 0
  var duplicates = 0
  var byteCount = 0
  var emptyRun = 0
  var seen = FingerprintSet()
  var total: Int?
  /// What the first page said lies before it.
  var previous = CursorField.absent

  /// Items that the extent `loaded` wants.
  let formerCount: Int
  /// Pages that the extent `anchor` may take.
  let maxPages: Int
}

/// Whether a refresh runs; the refresh itself lies outside of the session, as most never run one.
enum RefreshState {
  /// None runs.
  case none
  /// One runs; left when it commits, fails or is abandoned.
  indirect case running(Refresh)
}
