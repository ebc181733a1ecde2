/// A list that grows and shrinks at its end, in chunks: growing copies no more than one of these, however long it gets.
struct ChunkedStack<Element> {
  /// How many elements a chunk has.
  static var chunkCount: Int { 256 }

  /// All chunks but the last are full.
  private var chunks: [[Element]] = []
  /// The first chunk, by itself: most lists never have another.
  private var first: [Element] = []

  var count: Int {
    guard let last = chunks.last else { return first.count }
    return chunks.count &* ChunkedStack.chunkCount &+ last.count
  }

  var isEmpty: Bool { first.isEmpty }
  var last: Element? { isEmpty ? nil : self[count &- 1] }

  subscript(index: Int) -> Element {
    get {
      if index < ChunkedStack.chunkCount { return first[index] }
      return chunks[index / ChunkedStack.chunkCount &- 1][index % ChunkedStack.chunkCount]
    }
    set {
      if index < ChunkedStack.chunkCount {
        first[index] = newValue
      } else {
        chunks[index / ChunkedStack.chunkCount &- 1][index % ChunkedStack.chunkCount] = newValue
      }
    }
  }

  mutating func append(_ element: Element) {
    if first.count < ChunkedStack.chunkCount {
      first.append(element)
    } else if count % ChunkedStack.chunkCount == 0 {
      chunks.append([element])
    } else {
      chunks[chunks.count &- 1].append(element)
    }
  }

  mutating func popLast() -> Element? {
    if chunks.isEmpty { return first.popLast() }
    let element = chunks[chunks.count &- 1].popLast()
    if chunks[chunks.count &- 1].isEmpty { chunks.removeLast() }
    return element
  }

  /// Takes the first chunk away, which is full; the elements behind it move up by as many.
  mutating func removeFirstChunk() {
    first = chunks.isEmpty ? [] : chunks.removeFirst()
  }
}
