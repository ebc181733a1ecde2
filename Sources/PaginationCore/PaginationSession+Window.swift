// The window: what is far from the screen is dropped, and comes back when it is needed.
extension PaginationSession {
  /// Drops whole pages from the edges until the list is no larger than `maxItems`, or only what is seen is left.
  ///
  /// - Parameters:
  ///   - fresh: the positions just loaded, which count as seen where nothing else is known to be.
  ///   - sparing: an edge whose load somebody waited for.
  mutating func enforceWindow(around fresh: ClosedRange<Int>?, sparing: Edge?) {
    guard let maxItems = settings.maxItems, list.count > maxItems, let visible = demand.visible ?? fresh else { return }
    // One item more than the zone: a page that begins right behind it would be asked for again at once.
    let margin = settings.prefetchThreshold + 1
    let kept = (visible.lowerBound - margin)...(visible.upperBound + margin)
    let mayDropStart = canDrop(.start, sparing: sparing)
    let mayDropEnd = canDrop(.end, sparing: sparing)
    var low = 0
    var high = list.pages.count - 1
    var count = list.count
    while count > maxItems && low < high {
      let first = list.pages[low]
      let last = list.pages[high]
      let dropsStart = mayDropStart && first.end <= kept.lowerBound
      let dropsEnd = mayDropEnd && last.start > kept.upperBound
      // Of two that are out of sight the further one goes.
      if dropsStart && (!dropsEnd || visible.lowerBound - first.end >= last.start - visible.upperBound) {
        low += 1
        count -= first.count
      } else if dropsEnd {
        high -= 1
        count -= last.count
      } else {
        break
      }
    }
    let fromEnd = list.pages.count - 1 - high
    // One edge after the other, so that what each event says of the list is true when it is read.
    drop(low, at: .start)
    drop(fromEnd, at: .end)
  }

  private func canDrop(_ edge: Edge, sparing: Edge?) -> Bool {
    // A loader in view shows the edge itself.
    if edge == sparing || demand.isLoaderVisible(at: edge) { return false }
    guard let load = direction(at: edge).load else { return true }
    return load.waits.isEmpty && !load.isPinned
  }

  /// Drops pages at an edge, which opens again; a load that runs there is for another place now and is cancelled.
  ///
  /// Demand goes along not only with what is dropped but with the zone of the new edge too: it is out of sight, and would
  /// bring back at once what has just gone.
  private mutating func drop(_ count: Int, at edge: Edge) {
    if count == 0 { return }
    let former = (first: list.items.first, last: list.items.last)
    let places = (0..<count).compactMap { _ in list.dropPage(at: edge)?.place }
    let running = direction(at: edge).load
    if let running {
      stop(running)
      setState(running.former, at: edge)
    }
    demand.forgetFire(at: edge)
    switch edge {
    case .start:
      atStart.windowClosed(over: places)
      if let start = demand.start, isInZone(start, of: .start) { demand.start = demand.visible?.lowerBound }
      emit(.pagesDropped(edge, from: former.first, to: list.items.first - 1, generation: generation, facts))
    case .end:
      atEnd.windowClosed(over: places)
      if let end = demand.end, isInZone(end, of: .end) { demand.end = demand.visible?.upperBound }
      emit(.pagesDropped(edge, from: list.items.last + 1, to: former.last, generation: generation, facts))
    }
    if let running { emit(.loadingEnded(running.kind, generation: generation, result: .cancelled, facts)) }
  }
}
