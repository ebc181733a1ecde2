/// The ids of contiguous positions, 16 bytes each: one store from 0 up and one from -1 down.
struct LoadedIDs {
  private var upward = ChunkedIDs()
  private var downward = ChunkedIDs()

  /// The id at a loaded position.
  subscript(position: Int) -> Fingerprint {
    @inline(__always) get { position >= 0 ? upward[position] : downward[-1 &- position] }
  }

  /// Whether the ids at two loaded positions are the same.
  @inline(never)
  func areEqual(_ one: Int, _ other: Int) -> Bool { self[one] == self[other] }

  /// Bytes that the ids take.
  var bytesInUse: Int { upward.bytesInUse + downward.bytesInUse }

  /// Puts an id at a position beside those that are loaded, or at one of these.
  mutating func set(_ position: Int, _ id: Fingerprint) {
    if position >= 0 { upward.set(position, id) } else { downward.set(-1 &- position, id) }
  }

  /// Puts ids at positions from one on that is not negative and behind all that are loaded.
  mutating func set(_ position: Int, _ ids: [Fingerprint]) { upward.set(position, ids) }

  /// Gives back what lies below a position.
  mutating func forget(below position: Int) {
    if position > 0 { upward.forget(below: position) }
    downward.truncate(to: max(0, -position))
  }

  /// Gives back what lies at a position and above.
  mutating func forget(from position: Int) {
    upward.truncate(to: max(0, position))
    if position < 0 { downward.forget(below: -position) }
  }
}

/// Ids by index from 0 up, in chunks, so that growing copies nothing and what is dropped gives its memory back.
private struct ChunkedIDs {
  private static let shift = 10
  private static let chunkCount = 1 << shift
  private var chunks: [[Fingerprint]] = []
  /// The lowest chunk that may hold something; those below are empty arrays.
  private var lowest = 0

  subscript(index: Int) -> Fingerprint {
    chunks[index >> ChunkedIDs.shift][index & (ChunkedIDs.chunkCount &- 1)]
  }

  mutating func set(_ index: Int, _ id: Fingerprint) {
    let chunk = index >> ChunkedIDs.shift
    let within = index & (ChunkedIDs.chunkCount &- 1)
    while chunks.count <= chunk { chunks.append([]) }
    if within == chunks[chunk].count {
      chunks[chunk].append(id)
    } else {
      if within > chunks[chunk].count {
        // A dropped side that opens again fills its chunk from the far end.
        let missing = ChunkedIDs.chunkCount &- chunks[chunk].count
        chunks[chunk].append(contentsOf: repeatElement(.none, count: missing))
      }
      chunks[chunk][within] = id
    }
    if chunk < lowest { lowest = chunk }
  }

  /// Sets the ids from an index on.
  mutating func set(_ index: Int, _ ids: [Fingerprint]) {
    var done = 0
    while done < ids.count {
      let start = index &+ done
      let chunk = start >> ChunkedIDs.shift
      let within = start & (ChunkedIDs.chunkCount &- 1)
      let count = min(ids.count &- done, ChunkedIDs.chunkCount &- within)
      while chunks.count <= chunk { chunks.append([]) }
      if within == chunks[chunk].count {
        if within &+ count > chunks[chunk].capacity {
          // Growing as arrays do it could leave a chunk with room that it never needs: many lists have but one page.
          chunks[chunk].reserveCapacity(min(ChunkedIDs.chunkCount, max(within &+ count, 2 &* within)))
        }
        chunks[chunk].append(contentsOf: ids[done..<done &+ count])
        lowest = min(lowest, chunk)
      } else {
        for at in 0..<count { set(start &+ at, ids[done &+ at]) }
      }
      done &+= count
    }
  }

  var bytesInUse: Int {
    chunks.reduce(chunks.capacity * MemoryLayout<[Fingerprint]>.stride) {
      $0 + $1.capacity * MemoryLayout<Fingerprint>.stride
    }
  }

  /// Frees the chunks that lie wholly below `index`.
  mutating func forget(below index: Int) {
    let keep = min(index >> ChunkedIDs.shift, chunks.count)
    while lowest < keep {
      chunks[lowest] = []
      lowest &+= 1
    }
  }

  /// Frees what lies at `count` and above.
  mutating func truncate(to count: Int) {
    let keep = (count &+ ChunkedIDs.chunkCount &- 1) >> ChunkedIDs.shift
    if chunks.count > keep {
      chunks.removeLast(chunks.count &- keep)
      lowest = min(lowest, keep)
    }
  }
}
