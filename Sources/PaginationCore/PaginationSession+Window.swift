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
    let before = (first: list.items.first, last: list.items.last)
    while list.count > maxItems, list.pages.count > 1, let first = list.pages.first, let last = list.pages.last {
      let gapAtStart = visible.lowerBound - first.end
      let gapAtEnd = last.start - visible.upperBound
      let mayDropStart = first.end - 1 < kept.lowerBound && canDrop(.start, sparing: sparing)
      let mayDropEnd = last.start > kept.upperBound && canDrop(.end, sparing: sparing)
      if mayDropStart && (!mayDropEnd || gapAtStart >= gapAtEnd) {
        drop(.start)
      } else if mayDropEnd {
        drop(.end)
      } else {
        break
      }
    }
    announceDrop(from: before.first, to: list.items.first - 1, at: .start)
    announceDrop(from: list.items.last + 1, to: before.last, at: .end)
  }

  private func canDrop(_ edge: Edge, sparing: Edge?) -> Bool {
    if edge == sparing { return false }
    guard let load = direction(at: edge).load else { return true }
    return load.waits.isEmpty && !load.isPinned
  }

  private mutating func drop(_ edge: Edge) {
    guard let page = list.dropPage(at: edge) else { return }
    switch edge {
    case .start: atStart.dropped.append(page.place)
    case .end: atEnd.dropped.append(page.place)
    }
  }

  private mutating func announceDrop(from: Int, to: Int, at edge: Edge) {
    guard from <= to else { return }
    let running = direction(at: edge).load
    if let running { stop(running) }
    setState(.ready, at: edge)
    switch edge {
    case .start:
      atStart.emptyRun = 0
      if let start = demand.start, start < list.items.first { demand.start = demand.visible?.lowerBound }
    case .end:
      atEnd.emptyRun = 0
      if let end = demand.end, end > list.items.last { demand.end = demand.visible?.upperBound }
    }
    emit(.pagesDropped(edge, from: from, to: to, generation: generation, facts))
    if let running {
      emit(.loadingEnded(running.kind, generation: generation, result: .cancelled, facts))
    }
  }
}
