import Synchronization

/// What is known of a compressed file from the pages that were read: where to go on, and places to begin again.
final class GzipMemory: Sendable {
  /// A stream that nobody uses at the moment.
  ///
  /// Not checked by the compiler: whoever takes the box out of the memory is the only one who has it, and puts it back when
  /// done.
  struct Box: @unchecked Sendable {
    let stream: GzipStream
  }

  private struct State {
    var identity: FileIdentity?
    /// The stream that the last page was read from.
    var last: Box?
    /// Streams at rest, by where they stand; copied to go on from there.
    var marks: [Box] = []
    var distance = GzipMemory.markDistance
  }

  /// The most places that are kept, some 40 KB each; beyond it every other one goes, and new ones lie further apart.
  static let maximumMarks = 64
  static let markDistance = 16 << 20

  private let state = Mutex(State())

  /// Forgets what was another file, or this one when it was another.
  func adopt(_ file: OpenFile) throws(FileFault) {
    if var known = state.withLock({ $0.identity }), try known.change(in: file, before: 0) == nil { return }
    let identity = try FileIdentity(of: file)
    state.withLock { $0 = State(identity: identity) }
  }

  /// Takes the stream that the last page was read from, if nobody else has it.
  func takeLast() -> Box? {
    state.withLock { state in
      defer { state.last = nil }
      return state.last
    }
  }

  /// Puts a stream back for the next page.
  func putBack(_ box: Box) {
    state.withLock { $0.last = box }
  }

  /// A stream that stands at the last known place not behind `offset` and beyond `place`; nil where there is none.
  func stream(before offset: Int, beyond place: Int) -> GzipStream? {
    state.withLock { state in
      // Copied under the lock: a mark is shared.
      state.marks.last { $0.stream.outputOffset <= offset && $0.stream.outputOffset > place }?.stream.copy()
    }
  }

  /// Remembers the place where a stream stands, where that is worth it.
  func mark(_ stream: GzipStream) {
    state.withLock { state in
      let last = state.marks.last?.stream.outputOffset ?? 0
      guard stream.outputOffset - last >= state.distance, let copy = stream.copy() else { return }
      state.marks.append(Box(stream: copy))
      guard state.marks.count > Self.maximumMarks else { return }
      state.distance *= 2
      state.marks = state.marks.indices.filter { $0 % 2 == 1 }.map { state.marks[$0] }
    }
  }
}
