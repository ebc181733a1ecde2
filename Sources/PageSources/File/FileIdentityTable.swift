import Synchronization

/// The identities of a file as the list's generations know it, shared by the plans of one source on any thread.
///
/// A refresh has a generation of its own from its start, and may fail: then the list goes on in the old generation, whose
/// cursors point into the file as it was.
final class FileIdentityTable: Sendable {
  /// How many generations are remembered.
  ///
  /// Only two live at a time, the list's and the newest refresh's; others are left of refreshes that failed.
  static let maximumGenerations = 32

  /// What is remembered of one generation.
  private struct Known {
    var identity: FileIdentity
    /// Where its first page starts, once that was read: a page named by its distance from the end moves when the file
    /// grows, but a page asked again must lie where it lay.
    var start: Int?
  }

  private let generations = Mutex<[Int: Known]>([:])

  /// Checks an open file against what `request`'s generation knows, and remembers it where that is nothing yet.
  ///
  /// A first page (no cursor, initial or refresh) always takes the file as it is now. Returns what has changed, nil
  /// where the file is the same.
  func change(in file: OpenFile, for request: PageRequest, at offset: Int) throws(FileFault) -> String? {
    let generation = request.generation
    let startsAnew = request.cursor == nil && (request.kind == .initial || request.kind == .refresh)
    let known = startsAnew ? nil : generations.withLock { $0[generation]?.identity }
    guard var identity = known else {
      let fresh = try FileIdentity(of: file)
      remember(fresh, generation: generation, kind: request.kind)
      return nil
    }
    if let change = try identity.change(in: file, before: offset) { return change }
    remember(identity, generation: generation, kind: request.kind)
    return nil
  }

  private func remember(_ identity: FileIdentity, generation: Int, kind: PageRequest.Kind) {
    generations.withLock { generations in
      // A page beside the loaded ones is asked for in the list's own generation, so older ones are over.
      if kind == .more || kind == .previous {
        generations = generations.filter { $0.key >= generation }
      }
      generations[generation] = Known(identity: identity, start: generations[generation]?.start)
      // The oldest may be the list's and the newest the running refresh's; what lies between failed long ago.
      while generations.count > Self.maximumGenerations, let oldest = generations.keys.min(),
        let second = generations.keys.filter({ $0 != oldest }).min()
      {
        generations[second] = nil
      }
    }
  }

  /// Where the first page of a generation starts, nil where it was not read yet.
  func start(of generation: Int) -> Int? {
    generations.withLock { $0[generation]?.start }
  }

  /// Remembers where the first page of a generation starts.
  func setStart(_ offset: Int, of generation: Int) {
    generations.withLock { $0[generation]?.start = offset }
  }
}
