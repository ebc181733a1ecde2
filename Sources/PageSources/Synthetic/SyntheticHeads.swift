/// Counts the items that have appeared at the head of a synthetic list.
///
/// The count is fixed for each generation and page, so that a page asked again lies where it lay; a new generation starts
/// with all that have appeared so far.
struct SyntheticHeads {
  private let perPage: Int
  private var atStart: [Int: Int] = [:]
  private var highest = 0
  /// How many generations are remembered; see `FileIdentityTable`, whose reasons hold here too.
  private static let maximumGenerations = 32

  init(perPage: Int) {
    self.perPage = perPage
  }

  /// How many items lie before item 0 for this page.
  mutating func count(for request: PageRequest) -> Int {
    if perPage == 0 { return 0 }
    let base = atStart[request.generation] ?? highest
    remember(base, generation: request.generation)
    let (more, overflow) = perPage.multipliedReportingOverflow(by: max(0, request.page))
    let (count, tooMany) = base.addingReportingOverflow(more)
    // Beyond the protocol's integers positions mean nothing; there the list just stops to grow.
    let heads = overflow || tooMany ? SourceObject.counts.upperBound : min(count, SourceObject.counts.upperBound)
    highest = max(highest, heads)
    return heads
  }

  private mutating func remember(_ base: Int, generation: Int) {
    atStart[generation] = base
    while atStart.count > Self.maximumGenerations, let oldest = atStart.keys.min(),
      let second = atStart.keys.filter({ $0 != oldest }).min()
    {
      atStart[second] = nil
    }
  }
}
