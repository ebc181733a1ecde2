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

  private let identities = Mutex<[Int: FileIdentity]>([:])

  /// Checks an open file against what `request`'s generation knows, and remembers it where that is nothing yet.
  ///
  /// A first page (no cursor, initial or refresh) always takes the file as it is now. Returns what has changed, nil
  /// where the file is the same.
  func change(in file: OpenFile, for request: PageRequest, at offset: Int) throws(FileFault) -> String? {
    let generation = request.generation
    let startsAnew = request.cursor == nil && (request.kind == .initial || request.kind == .refresh)
    let known = startsAnew ? nil : identities.withLock { $0[generation] }
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
    identities.withLock { identities in
      // A page beside the loaded ones is asked for in the list's own generation, so older ones are over.
      if kind == .more || kind == .previous {
        identities = identities.filter { $0.key >= generation }
      }
      identities[generation] = identity
      // The oldest may be the list's and the newest the running refresh's; what lies between failed long ago.
      while identities.count > Self.maximumGenerations, let oldest = identities.keys.min(),
        let second = identities.keys.filter({ $0 != oldest }).min()
      {
        identities[second] = nil
      }
    }
  }
}
