/// The list as the server's messages make it: a pure reducer without any paging logic of its own.
///
/// It holds the window that the server keeps loaded, by position, and what goes on at its edges.
struct ListModel: Equatable {
  private(set) var generation = 1
  private(set) var facts = ListFacts()
  private(set) var total: Int?
  /// Contiguous, in order, none empty.
  private(set) var pages: [ItemPage] = []
  private(set) var loading: Set<LoadKind> = []
  private var failures: [LoadKind: LoadFailure] = [:]

  /// What a change means for somebody who looks at the list.
  enum Change: Equatable {
    /// Other items than before stand here; the place to go to, if the server names one.
    case replaced(scrollTo: Int?)
    /// Items came or went at the edges; positions stay what they were.
    case edges(scrollTo: Int?)
    /// Only what goes on has changed.
    case status
  }

  /// Position of the first item in the window.
  var first: Int? { pages.first?.start }
  /// Position of the last item in the window.
  var last: Int? { pages.last?.last }

  mutating func apply(_ event: ListEvent) -> Change {
    switch event {
    case .opened(let start):
      // What is shown may be the old copy of a list whose server has gone.
      empty()
      generation = start.generation
      loading = start.loading
      total = start.total
      facts = start.facts
      return .status
    case .loading(let kind, let isLoading, let facts):
      if let facts { self.facts = facts }
      return setLoading(kind, isLoading)
    case .page(let page):
      return place(page)
    case .dropped(let from, let to, let facts):
      self.facts = facts
      let before = (first, last)
      drop(from: from, to: to)
      // An edge that was dropped is open again: what failed there is no longer at the list's end.
      if first != before.0 { failures[.previous] = nil }
      if last != before.1 { failures[.more] = nil }
      return .edges(scrollTo: nil)
    case .cleared(let generation, let facts):
      self.generation = generation
      self.facts = facts
      empty()
      return .replaced(scrollTo: nil)
    case .loadFailed(let kind, let failure):
      failures[kind] = failure
      return .status
    }
  }

  /// What stands in the row after the last item.
  var tail: EdgeRow? {
    if loading.contains(.more) { return retrying(.more) ?? .loading }
    if let failure = failures[.more] { return .failed(failure.message) }
    return facts.isPaused ? .paused : nil
  }

  /// What stands in the row before the first item.
  var head: EdgeRow? {
    if loading.contains(.previous) { return retrying(.previous) ?? .loading }
    if let failure = failures[.previous] { return .failed(failure.message) }
    return nil
  }

  /// What stands in place of items while there are none.
  var emptyNotice: EmptyListNotice? {
    guard pages.isEmpty else { return nil }
    // A refresh of a list that is known to be empty leaves it on show.
    let kinds: [LoadKind] = facts.phase == .empty ? [.initial, .more] : [.initial, .more, .refresh]
    if kinds.contains(where: loading.contains) {
      for case .retrying(let message, let milliseconds)? in kinds.map(retrying) {
        return .retrying(message, milliseconds: milliseconds)
      }
      return .firstLoad
    }
    switch facts.phase {
    case .loadingFirst: return .firstLoad
    case .failedFirst: return .failed(kinds.compactMap { failures[$0]?.message }.first ?? "there is no reason given")
    case .empty: return facts.isPaused ? .paused : .empty
    case .idle, .items: return .idle
    }
  }

  /// Whether some load has failed and that is still to be seen.
  var hasFailure: Bool { !failures.isEmpty }

  /// What the last refresh failed of, while that is news.
  var refreshFailure: String? {
    guard !loading.contains(.refresh), facts.phase != .failedFirst else { return nil }
    return failures[.refresh]?.message
  }

  /// The server is gone: nothing loads any more, and what is there is an old copy.
  mutating func abandon() {
    loading = []
    failures = failures.filter { $0.value.retryInMs == nil }
  }

  /// The page that holds a position.
  func page(at position: Int) -> ItemPage? {
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if pages[middle].last < position { low = middle + 1 } else { high = middle }
    }
    return low < pages.count && pages[low].start <= position ? pages[low] : nil
  }

  /// The id of the item at a position, as JSON text; nil where there is no such item or it has none.
  func id(at position: Int) -> ArraySlice<UInt8>? {
    guard let id = page(at: position)?.id(at: position), !id.isEmpty else { return nil }
    return id
  }

  /// Where the item with an id stands.
  func position(ofID id: ArraySlice<UInt8>) -> Int? {
    for page in pages {
      if let position = page.position(ofID: id) { return position }
    }
    return nil
  }

  private func retrying(_ kind: LoadKind) -> EdgeRow? {
    guard let failure = failures[kind], let milliseconds = failure.retryInMs else { return nil }
    return .retrying(failure.message, milliseconds: milliseconds)
  }

  private mutating func setLoading(_ kind: LoadKind, _ isLoading: Bool) -> Change {
    if isLoading {
      loading.insert(kind)
      failures[kind] = nil
    } else {
      loading.remove(kind)
      // A failure that waited for another try is no failure any more, unless it was told anew.
      if failures[kind]?.retryInMs != nil { failures[kind] = nil }
    }
    return .status
  }

  private mutating func place(_ page: ListPage) -> Change {
    facts = page.facts
    generation = page.generation
    if page.total != nil || page.replaces { total = page.total }
    failures[page.isPrepended ? .previous : .more] = nil
    failures[.initial] = nil
    let isReplacement = page.replaces
    if isReplacement { empty() }
    guard page.items.count > 0 else {
      return isReplacement ? .replaced(scrollTo: page.scrollTo) : .edges(scrollTo: page.scrollTo)
    }
    if page.isPrepended {
      if let first, page.items.last &+ 1 != first { pages = [] }
      pages.insert(page.items, at: 0)
    } else {
      // Positions are the server's; where they do not join, what they contradict is old.
      if let last, page.items.start != last &+ 1 {
        drop(from: page.items.start, to: Self.beyondAll)
        if let left = self.last, left &+ 1 != page.items.start { pages = [] }
      }
      pages.append(page.items)
    }
    return isReplacement ? .replaced(scrollTo: page.scrollTo) : .edges(scrollTo: page.scrollTo)
  }

  private mutating func empty() {
    pages = []
    failures = [:]
  }

  /// Greater than every position, with room to calculate.
  private static let beyondAll = Int.max / 4

  private mutating func drop(from: Int, to: Int) {
    for index in pages.indices {
      if pages[index].start > to || pages[index].last < from { continue }
      // The window is contiguous, so what goes is its start or its end; a hole would leave nothing to trust.
      if pages[index].start >= from { pages[index].drop(before: to &+ 1) } else { pages[index].drop(from: from) }
    }
    pages.removeAll { $0.count == 0 }
  }
}
