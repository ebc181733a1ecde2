import CSystem
import JSONText

/// Reads the pages of one file.
///
/// Has no state but what is known of the file, so pages may be read on any thread and in any order.
struct FilePages: Sendable {
  private(set) var settings: FileSettings
  /// The absolute path.
  let path: [UInt8]
  let limits: FileLimits
  /// Where its lines lie, and how many there are.
  let index: LineIndex
  /// Where a compressed file can be gone on with.
  private let gzip = GzipMemory()
  private let identities = FileIdentityTable()

  /// The pages of the file at an absolute path.
  init(_ settings: FileSettings, path: [UInt8], limits: FileLimits) {
    self.settings = settings
    self.path = path
    self.limits = limits
    index = LineIndex(skipsBlank: settings.format.skipsBlankLines, isFollowed: settings.isFollowed)
  }

  /// The page that `request` asks for.
  ///
  /// May block.
  func page(
    _ request: PageRequest, idPath: JSONPointer, cancellation: CancellationFlag
  ) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      let place = try place(of: request)
      do throws(ReadFault) {
        let (file, departure) = try open(for: request, at: place)
        let compressed = settings.isCompressed ? try inflating(file) : nil
        if settings.countsTotal || settings.numbersLines, request.kind == .initial || request.kind == .refresh {
          try index.adopted(file)
        }
        let reading = FileReading(
          file: file, input: compressed ?? file, pages: self, request: request, idPath: idPath,
          cancellation: cancellation)
        defer { compressed?.finish() }
        var (page, start) = try reading.page(at: place)
        if let departure { return try last(page, of: departure, request, reading) }
        if page.tail != nil { identities.hold(file, for: request.generation) }
        if place.cursorOffset == nil { identities.setStart(start, of: request.generation) }
        if settings.countsTotal { page.total = try total(of: file, for: request, cancellation) }
        return page
      } catch {
        throw sourceError(error)
      }
    }
  }

  /// Counts what there is to count, and goes on where an earlier count ended; the page holds nothing but the total.
  ///
  /// May block for long.
  func count(_ cancellation: CancellationFlag) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      do throws(ReadFault) {
        let file = try open()
        try index.count(file, limits: limits, cancellation: cancellation)
        return SourcePage(total: index.total)
      } catch {
        throw sourceError(error)
      }
    }
  }

  /// Gives back what is held open.
  func close() { identities.releaseHeld() }

  /// How far the lines are counted.
  var progress: SourceProgress {
    let (done, whole) = index.reach
    let total = settings.countsTotal ? index.total : nil
    return SourceProgress(
      title: "Counting the lines of \(Self.shown(path))", done: done, whole: whole, outcome: total.map { "\($0) items" }
    )
  }

  /// The number of items as far as it is known, with what a followed file has gained.
  private func total(
    of file: OpenFile, for request: PageRequest, _ cancellation: CancellationFlag
  ) throws(ReadFault) -> Int? {
    if settings.isFollowed && index.isWhole {
      try index.count(file, limits: limits, cancellation: cancellation)
    }
    return index.total
  }

  /// Where the page lies.
  ///
  /// The first page has no cursor, or in a refresh a place of the client's, as `from` names it. It is asked for again where
  /// it was dropped meanwhile, and then lies where it lay.
  private func place(of request: PageRequest) throws(SourceError) -> FilePlace {
    guard let cursor = request.cursor else { return firstPlace(settings.from, of: request) }
    if request.page == 0, let from = FilePlace(from: cursor), isReadBackwards || from.isForward {
      return firstPlace(from, of: request)
    }
    guard let place = FilePlace(cursor: cursor), isReadBackwards || place.isForward else {
      throw .foreignCursor(cursor, typeName: FileSource.type.name)
    }
    return place
  }

  /// Whether the items before a place can be found by reading backwards.
  var isReadBackwards: Bool { settings.format.isReadBackwards && !settings.isCompressed }

  private func firstPlace(_ from: FilePlace, of request: PageRequest) -> FilePlace {
    let isAskedAgain = request.kind == .more || request.kind == .previous
    guard isAskedAgain, let start = identities.start(of: request.generation) else { return from }
    return start == 0 ? .start : .page(at: start)
  }

  /// Opens the file and makes sure that it is still the one that the cursor points into.
  ///
  /// Where its name leads elsewhere and only what was added is asked for, that is the file that left, with the reason why the
  /// list will come to its end.
  private func open(
    for request: PageRequest, at place: FilePlace
  ) throws(ReadFault) -> (file: OpenFile, departure: SourceError?) {
    // A cursor into the text says nothing of the bytes of a compressed file.
    let offset = settings.isCompressed ? 0 : place.cursorOffset ?? 0
    let left = { (reason: ReadFault) throws(ReadFault) -> (file: OpenFile, departure: SourceError?) in
      guard settings.isFollowed, request.kind == .more, case .page = place, case .source(let error) = reason,
        let file = identities.left(for: request.generation, before: offset)
      else { throw reason }
      return (file, error)
    }
    let file: OpenFile
    do throws(ReadFault) {
      file = try open()
    } catch {
      return try left(error)
    }
    var change: String?
    do throws(FileFault) {
      change = try identities.change(in: file, for: request, at: offset)
      if change == nil { change = try missingStart(in: file, at: offset) }
    } catch {
      throw .file(error)
    }
    if let change { return try left(.source(changed(change))) }
    return (file, nil)
  }

  /// A page of what was added to a file that has left its place; throws the reason of its leaving once nothing more comes.
  ///
  /// Who writes to the file often does so for a moment longer, until it opens the new one.
  private func last(
    _ page: SourcePage, of departure: SourceError, _ request: PageRequest, _ reading: FileReading
  ) throws(ReadFault) -> SourcePage {
    // What is there already is read whatever time that takes.
    if page.hasMore == true { return page }
    let hasGained = !page.items.isEmpty
    // A file that is only missing may come back, and whoever follows it waits for that.
    let isReplaced = departure.code == .sourceChanged
    let mayGain = identities.read(
      hasGained, ofLeftFor: request.generation, now: Int(csystem_milliseconds()), quiet: FileLimits.leftQuietMs,
      patience: isReplaced ? FileLimits.leftPatienceMs : .max)
    var page = page
    if !hasGained && !(mayGain && isReplaced) {
      guard isReplaced, let rest = rest(reading, request) else { throw .source(departure) }
      page = rest
    }
    page.lookAgainMs = FileLimits.leftLookMs
    return page
  }

  /// The last line of a file that has ended for good, where it has no line feed: it will not get one any more.
  private func rest(_ reading: FileReading, _ request: PageRequest) -> SourcePage? {
    var ended = self
    ended.settings.isFollowed = false
    let reading = FileReading(
      file: reading.file, input: reading.input, pages: ended, request: request, idPath: reading.idPath,
      cancellation: reading.cancellation)
    // Half a value of JSON Lines is none.
    guard let place = try? place(of: request), let start = place.cursorOffset,
      var page = try? reading.page(at: place).page, !page.items.isEmpty
    else { return nil }
    page.again = FilePlace.between(start, reading.file.size).cursor
    page.tail = FilePlace.page(at: reading.file.size).cursor
    return page
  }

  private func inflating(_ file: OpenFile) throws(ReadFault) -> GzipInput {
    do throws(FileFault) {
      return try GzipInput(file, path: path, memory: gzip, limits: limits)
    } catch {
      throw .file(error)
    }
  }

  private func open() throws(ReadFault) -> OpenFile {
    do {
      return try OpenFile.open(path, policy: settings.policy)
    } catch {
      throw .source(Self.unavailable(path, error))
    }
  }

  /// What is wrong with `offset` as the start of a line, nil where nothing is.
  ///
  /// A cursor always lies behind a line feed, or an element's behind a comma or bracket; where there is none any more, more
  /// was written over than the first bytes show.
  private func missingStart(in file: OpenFile, at offset: Int) throws(FileFault) -> String? {
    if offset == 0 || file.size == 0 { return nil }
    if !settings.format.startsPagesWithLines {
      let before = try file.bytes(at: max(0, offset - 1024), count: min(offset, 1024))
      let last = before.last { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
      let isStart = last == nil || last == UInt8(ascii: ",") || last == UInt8(ascii: "[")
      return isStart ? nil : "no element starts at byte \(offset) any more"
    }
    return try file.bytes(at: offset - 1, count: 1) == [0x0A] ? nil : "no line starts at byte \(offset) any more"
  }

  // MARK: Errors

  private func sourceError(_ fault: ReadFault) -> SourceError {
    switch fault {
    case .cancelled, .idle: SourceError(.loadFailed, "The page of \(Self.shown(path)) was not wanted any more.")
    case .file(let fault): failed(fault)
    case .source(let error): error
    }
  }

  /// The error for a path that cannot be opened.
  static func unavailable(_ path: [UInt8], _ fault: FileFault) -> SourceError {
    if fault.isRefused {
      return SourceError(
        .refused, "\(shown(path)) may not be opened: \(fault.reason). Name a file that lies in it.",
        details: [.bytes("path", path), .string("reason", fault.reason)])
    }
    return SourceError(
      .sourceUnavailable,
      "Cannot open \(shown(path)): \(fault.reason). Check the path and the permissions, then open it again.",
      details: [.bytes("path", path), .string("reason", fault.reason)])
  }

  func changed(_ what: String) -> SourceError {
    SourceError(
      .sourceChanged,
      "\(Self.shown(path)) has changed since it was opened: \(what). Refresh to read it from its start.",
      details: [.bytes("path", path), .string("reason", what)])
  }

  private func failed(_ fault: FileFault) -> SourceError {
    SourceError(
      .loadFailed, "Cannot read \(Self.shown(path)): \(fault.reason). Load again.",
      details: [.bytes("path", path), .string("reason", fault.reason)])
  }

  /// A path for people; an empty one is still seen.
  static func shown(_ path: [UInt8]) -> String {
    path.isEmpty ? "\"\"" : String(decoding: path, as: UTF8.self)
  }
}
