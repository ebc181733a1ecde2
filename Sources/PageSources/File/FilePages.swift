import JSONText

/// Reads the pages of one file.
///
/// Has no state but the identities, so pages may be read on any thread and in any order.
struct FilePages: Sendable {
  /// The absolute path.
  let path: [UInt8]
  let format: FileFormat
  let limits: FileLimits
  private let identities = FileIdentityTable()

  /// The pages of the file at an absolute path.
  init(path: [UInt8], format: FileFormat, limits: FileLimits) {
    self.path = path
    self.format = format
    self.limits = limits
  }

  /// The page that `request` asks for.
  ///
  /// May block.
  func page(
    _ request: PageRequest, idPath: JSONPointer, cancellation: CancellationFlag
  ) -> Result<SourcePage, SourceError> {
    Result { () throws(SourceError) in
      let offset = try offset(of: request)
      do throws(ReadFault) {
        return try page(request, at: offset, idPath: idPath, cancellation: cancellation)
      } catch {
        throw sourceError(error)
      }
    }
  }

  private func page(
    _ request: PageRequest, at offset: Int, idPath: JSONPointer, cancellation: CancellationFlag
  ) throws(ReadFault) -> SourcePage {
    let file = try open(for: request, at: offset)
    switch format {
    case .lines:
      var pager = LinesPager(limits: limits, limit: request.limit, idPath: idPath)
      return try pager.page(of: file, from: offset, cancellation: cancellation)
    case .jsonl:
      var pager = JSONLinesPager(path: path, limits: limits, limit: request.limit, idPath: idPath)
      return try pager.page(of: file, from: offset, cancellation: cancellation)
    }
  }

  /// Opens the file and makes sure that it is still the one that the cursor points into.
  private func open(for request: PageRequest, at offset: Int) throws(ReadFault) -> OpenFile {
    let file: OpenFile
    do {
      file = try OpenFile.open(path)
    } catch {
      throw .source(Self.unavailable(path, error))
    }
    var change: String?
    do throws(FileFault) {
      change = try identities.change(in: file, for: request, at: offset)
      if change == nil { change = try Self.missingStart(in: file, at: offset) }
    } catch {
      throw .file(error)
    }
    if let change { throw .source(changed(change)) }
    return file
  }

  /// What is wrong with `offset` as the start of a line: a cursor always lies behind a line feed, and where there is
  /// none any more, more was written over than the first bytes show.
  private static func missingStart(in file: borrowing OpenFile, at offset: Int) throws(FileFault) -> String? {
    if offset == 0 || file.size == 0 { return nil }
    return try file.bytes(at: offset - 1, count: 1) == [0x0A] ? nil : "no line starts at byte \(offset) any more"
  }

  private func offset(of request: PageRequest) throws(SourceError) -> Int {
    guard let cursor = request.cursor else { return 0 }
    guard let place = FileCursor(cursor) else { throw .foreignCursor(cursor, typeName: FileSource.type.name) }
    return place.offset
  }

  // MARK: Errors

  private func sourceError(_ fault: ReadFault) -> SourceError {
    switch fault {
    case .cancelled: SourceError(.loadFailed, "The page of \(Self.shown(path)) was not wanted any more.")
    case .file(let fault): failed(fault)
    case .source(let error): error
    }
  }

  /// The error for a path that cannot be opened.
  static func unavailable(_ path: [UInt8], _ fault: FileFault) -> SourceError {
    SourceError(
      .sourceUnavailable,
      "Cannot open \(shown(path)): \(fault.reason). Check the path and the permissions, then open it again.",
      details: [.bytes("path", path), .string("reason", fault.reason)])
  }

  private func changed(_ what: String) -> SourceError {
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
