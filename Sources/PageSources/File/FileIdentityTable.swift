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
    /// The file itself, where it is followed and was read to its end.
    var held: HeldFile?
    /// Since when its name leads elsewhere, and when it has gained something last; both in milliseconds.
    var departure: (since: Int, gained: Int)?
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
      let former = generations[generation]
      let isSame = former?.identity.isNode(like: identity) == true
      generations[generation] = Known(
        identity: identity, start: former?.start, held: isSame ? former?.held : nil)
      // The oldest may be the list's and the newest the running refresh's; what lies between failed long ago.
      while generations.count > Self.maximumGenerations, let oldest = generations.keys.min(),
        let second = generations.keys.filter({ $0 != oldest }).min()
      {
        generations[second] = nil
      }
    }
  }

  // MARK: Files that leave

  /// Keeps `file` open for a generation whose list has come to its end.
  func hold(_ file: OpenFile, for generation: Int) {
    generations.withLock { generations in
      guard let known = generations[generation], known.held == nil, known.identity.isNode(of: file) else { return }
      generations[generation]?.held = HeldFile(file)
    }
  }

  /// The file that a generation was read from, as it is now, though its name leads elsewhere; nil where it was not kept, or
  /// is not what it was before `offset`.
  func left(for generation: Int, before offset: Int) -> OpenFile? {
    guard let known = generations.withLock({ $0[generation] }), let held = known.held else { return nil }
    var identity = known.identity
    do throws(FileFault) {
      let file = try held.file.lookedAtAgain()
      return try identity.change(in: file, before: offset) == nil ? file : nil
    } catch {
      return nil
    }
  }

  /// Says what was read from a file that has left its place; whether more may come of it.
  func read(_ hasGained: Bool, ofLeftFor generation: Int, now: Int, quiet: Int, patience: Int) -> Bool {
    generations.withLock { generations in
      guard let known = generations[generation] else { return false }
      var departure = known.departure ?? (now, now)
      if hasGained { departure.gained = now }
      generations[generation]?.departure = departure
      if now - departure.gained < quiet && now - departure.since < patience { return true }
      generations[generation]?.held = nil
      return false
    }
  }

  /// Lets go of all files.
  func releaseHeld() {
    generations.withLock { generations in
      for generation in generations.keys { generations[generation]?.held = nil }
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
