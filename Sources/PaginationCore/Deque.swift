/// A list that grows and shrinks at both ends in constant time.
struct Deque<Element> {
  private var front = ChunkedStack<Element>()
  private var back = ChunkedStack<Element>()
  /// How many of `back` have been taken from its start; less than a chunk.
  private var taken = 0

  var count: Int { front.count + back.count - taken }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : self[0] }
  var last: Element? { isEmpty ? nil : self[count - 1] }

  subscript(index: Int) -> Element {
    get { index < front.count ? front[front.count - 1 - index] : back[taken + index - front.count] }
    set {
      if index < front.count {
        front[front.count - 1 - index] = newValue
      } else {
        back[taken + index - front.count] = newValue
      }
    }
  }

  mutating func append(_ element: Element) { back.append(element) }

  mutating func prepend(_ element: Element) { front.append(element) }

  mutating func removeFirst() -> Element? {
    if let element = front.popLast() { return element }
    if taken == back.count { return nil }
    let element = back[taken]
    taken += 1
    if taken == ChunkedStack<Element>.chunkCount {
      back.removeFirstChunk()
      taken = 0
    } else if taken == back.count {
      back = ChunkedStack()
      taken = 0
    }
    return element
  }

  mutating func removeLast() -> Element? {
    if taken < back.count {
      let element = back.popLast()
      if taken == back.count {
        back = ChunkedStack()
        taken = 0
      }
      return element
    }
    if front.isEmpty { return nil }
    // Only a list that grew backwards and is now cut from its end comes here: turn it over, once.
    back = ChunkedStack()
    while let element = front.popLast() { back.append(element) }
    taken = 0
    return back.popLast()
  }
}
