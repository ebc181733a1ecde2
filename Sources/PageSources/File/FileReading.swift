import JSONText

/// The reading of one page from a file that was just opened.
struct FileReading {
  let file: OpenFile
  /// What the items are read from: the file, or what it holds in compressed form.
  let input: any ByteInput
  let pages: FilePages
  let request: PageRequest
  let idPath: JSONPointer
  let cancellation: CancellationFlag

  private var limit: Int { max(0, request.limit) }

  /// A page, and where it starts in the file.
  typealias Placed = (page: SourcePage, start: Int)

  /// The page at `place`.
  func page(at place: FilePlace) throws(ReadFault) -> Placed {
    switch place {
    case .start: return try page(from: 0)
    case .page(at: let offset): return try page(from: offset)
    case .between(let offset, let end): return try again(from: offset, to: end)
    case .before(let end):
      var (page, start) = try page(before: min(end, size()))
      // What follows is loaded already.
      page.next = .absent
      page.hasMore = nil
      page.tail = nil
      return (page, start)
    case .end: return try page(before: size())
    case .offset(let offset): return try page(holding: offset, of: size())
    case .line(let number):
      let start = try pages.index.start(
        ofLine: number, in: file, limits: pages.limits, cancellation: cancellation)
      let size = try size()
      return try page(holding: start ?? size, of: size)
    case .fraction(let fraction):
      let size = try size()
      // Not more than the size, whatever the rounding does.
      return try page(holding: min(size, Int(Double(size) * fraction)), of: size)
    }
  }

  /// The page from the line on that starts at `offset`.
  private func page(from offset: Int) throws(ReadFault) -> Placed {
    var page = try read(from: offset, limit: limit).page
    page.previous = offset > 0 && pages.isReadBackwards ? FilePlace.before(offset).field : .absent
    return (page, offset)
  }

  /// A page that was read before, between the pages beside it: all that lies there, so that nothing is lost and nothing comes
  /// twice, whatever was written over.
  private func again(from offset: Int, to end: Int) throws(ReadFault) -> Placed {
    let isBesideOthers = request.kind == .more || request.kind == .previous
    let read = try read(from: offset, before: end, limit: isBesideOthers ? .max : limit)
    if isBesideOthers && read.end != end {
      throw .source(pages.changed("what stood between the bytes \(offset) and \(end) was written over"))
    }
    var page = read.page
    page.previous = offset > 0 && pages.isReadBackwards ? FilePlace.before(offset).field : .absent
    return (page, offset)
  }

  private func page(holding offset: Int, of size: Int) throws(ReadFault) -> Placed {
    if offset >= size { return try page(before: size) }
    var search = LineSearch(file, limits: pages.limits, cancellation: cancellation)
    return try page(from: search.lineStart(of: offset))
  }

  /// The page of the last lines before `end`.
  ///
  /// Their starts are found backwards, then they are read forward like any others. A page that turns out too large must lose
  /// its first lines, not its last, which the page after it follows on.
  private func page(before end: Int) throws(ReadFault) -> Placed {
    var end = end
    if pages.settings.isFollowed {
      // What stands behind the last line feed is no line yet.
      var search = LineSearch(file, limits: pages.limits, cancellation: cancellation)
      end = try search.lineStart(of: end)
    }
    var wanted = limit
    while true {
      var search = LineSearch(file, limits: pages.limits, cancellation: cancellation)
      let found = try search.lines(wanted, before: end, skipsBlank: pages.settings.format.skipsBlankLines)
      var (page, _, wasCutShort) = try read(from: found.start, before: end, limit: found.count)
      if wasCutShort && found.count > 1 {
        wanted = min(max(1, found.count / 2), max(1, page.items.count))
        continue
      }
      page.previous = found.start > 0 ? FilePlace.before(found.start).field : .absent
      return (page, found.start)
    }
  }

  /// What a reading came to.
  private typealias Read = (page: SourcePage, end: Int, wasCutShort: Bool)

  private func read(from offset: Int, before end: Int = .max, limit: Int) throws(ReadFault) -> Read {
    let (page, pageEnd, wasCutShort) = try readItems(from: offset, before: end, limit: limit)
    return (marked(page, from: offset, to: pageEnd), pageEnd, wasCutShort)
  }

  private func readItems(from offset: Int, before end: Int, limit: Int) throws(ReadFault) -> Read {
    let isFollowed = pages.settings.isFollowed
    switch pages.settings.format {
    case .lines:
      let line = pages.settings.numbersLines ? try pages.index.number(ofLineAt: offset, in: file, cancellation) : nil
      var pager = LinesPager(
        limits: pages.limits, limit: limit, idPath: idPath, isFollowed: isFollowed, firstLine: line)
      let page = try pager.page(in: window(from: offset), before: end)
      if let line = pager.endLine { pages.index.note(line, at: pager.end, in: file) }
      return (page, pager.end, pager.wasCutShort)
    case .jsonl:
      var pager = JSONLinesPager(
        name: .file(pages.path), limits: pages.limits, limit: limit, idPath: idPath, isFollowed: isFollowed)
      let page =
        pages.settings.isCompressed
        ? try pager.page(in: window(from: offset), before: end)
        : try pager.page(of: file, from: offset, before: end, cancellation: cancellation)
      return (page, pager.end, pager.wasCutShort)
    case .json:
      var pager = JSONArrayPager(
        window(from: offset), name: .file(pages.path), limits: pages.limits, limit: limit, idPath: idPath)
      let page = try pager.page(before: end)
      return (page, pager.end, false)
    case .csv, .tsv:
      let delimiter = pages.settings.format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
      var pager = CSVPager(
        name: .file(pages.path), limits: pages.limits, delimiter: delimiter, limit: limit, idPath: idPath)
      let page = try pager.page(
        of: input, from: offset, before: end, hasHeader: pages.settings.hasHeader, cancellation: cancellation)
      return (page, pager.end, false)
    }
  }

  private func window(from offset: Int) -> FileWindow {
    FileWindow(input, from: offset, limits: pages.limits, cancellation: cancellation)
  }

  /// A page that says by which cursor it is had again as it is: the one it was asked with would give more of a file that has
  /// grown, or other items where something was written over.
  private func marked(_ page: SourcePage, from start: Int, to end: Int) -> SourcePage {
    let isLast = page.hasMore == false
    // Behind the last page of a file that is not followed nothing is loaded that could not fit.
    if page.items.isEmpty && !isLast || isLast && !pages.settings.isFollowed { return page }
    var page = page
    page.again = FilePlace.between(start, end).cursor
    if isLast { page.tail = FilePlace.page(at: end).cursor }
    return page
  }

  /// The file's size; where it has none, as many bytes as can be read.
  private func size() throws(ReadFault) -> Int {
    if file.size > 0 { return file.size }
    var window = FileWindow(file, from: 0, limits: pages.limits, cancellation: cancellation)
    while !window.hasReadAll {
      window.pass(to: window.filled)
      try window.fill()
    }
    return window.offset + window.unread
  }
}
