import JSONText

/// What all sources are to the server: something that says how a page is to be had.
///
/// A source belongs to one session and to the event loop's thread; all of its methods are called there and return at
/// once. What may block goes into a plan.
public protocol PageSource: AnyObject {
  /// The source's type, as in `source.type`.
  var typeName: String { get }

  /// The source object as it may be shown again; nil: as it came.
  var shownText: [UInt8]? { get }

  /// Whether a front end may know cursors of the source, and so name the one to start at.
  var takesStartAt: Bool { get }

  /// How the page that `request` asks for is to be had.
  ///
  /// `idPath` is where the source looks for the items' ids.
  func plan(_ request: PageRequest, idPath: JSONPointer) -> FetchPlan

  /// The absolute path of the file whose growth is to be watched, nil for a source that is not followed.
  ///
  /// Where it has grown, the cursor in `tail` of the last page names what was added.
  var followedPath: [UInt8]? { get }

  /// Work that the source wants done behind its pages, handed out once; nil where there is none at present.
  ///
  /// The server asks after each page. The work may block for long; where the flag is raised it ends soon. What it leads to
  /// is a page without items that may say `total`; where it fails, nothing is known.
  func workBehind() -> (@Sendable (CancellationFlag) -> Result<SourcePage, SourceError>)?

  /// How far what takes long has come: what looks through more than a page, for a page or behind it; nil for a source that
  /// does nothing of the kind.
  var progress: SourceProgress? { get }

  /// Writes one JSON object: what `state.source` says of the source. `type` is its first member.
  func facts(into writer: inout JSONWriter)

  /// Says that the list is of this generation now: pages of earlier ones are not asked for any more.
  func generationCommitted(_ generation: Int)

  /// Says that the refresh to this generation came to nothing: pages of it are not asked for any more.
  func generationDiscarded(_ generation: Int)

  /// Gives back what the source holds. No plan is asked for afterwards; plans that still run may end after it.
  func close()
}

extension PageSource {
  /// As it came.
  public var shownText: [UInt8]? { nil }

  /// Most sources make up their cursors themselves.
  public var takesStartAt: Bool { false }

  /// Nothing: most sources hold nothing for a generation.
  public func generationCommitted(_ generation: Int) {}

  /// Nothing: most sources hold nothing for a generation.
  public func generationDiscarded(_ generation: Int) {}

  /// Most sources are not followed.
  public var followedPath: [UInt8]? { nil }

  /// Most sources look through nothing but their pages.
  public var progress: SourceProgress? { nil }

  /// Most sources have nothing to do.
  public func workBehind() -> (@Sendable (CancellationFlag) -> Result<SourcePage, SourceError>)? { nil }
}
