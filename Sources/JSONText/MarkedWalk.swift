/// A walk over an array or an object from mark to mark, which checks the grammar and notes items on its way.
///
/// A string is a single step, since nothing inside of it is a mark and the search for these has checked it.
struct MarkedWalk {
  private enum Step {
    case outOfMarks
    case end(Int)
    case unsure
  }

  /// How many arrays and objects may be open.
  private let room: Int
  /// How many are open around an item.
  private let itemDepth: Int
  /// The name of an item's member that is its id.
  private let idName: JSONMemberName
  /// Where the value starts; what is known of it is counted from there, and noted counted from the start of the buffer.
  private let offset: Int

  /// How many marks of the batch have been passed.
  private var passed = 0
  /// How many arrays and objects are open.
  private var depth = 0
  /// Which of them are objects: a bit each, the innermost lowest.
  private var objects: UInt64 = 0
  /// Whether a value or a member comes next; else a comma or a closing bracket does.
  private var isBeforeValue = true
  /// Where the present item starts.
  private var itemStart = 0
  /// Where the value of its member named id starts; 0, where no member is, if it has none so far.
  private var idStart = 0

  /// A walk in which `room` arrays and objects may be open, 64 at most, over items inside of `itemDepth` of them.
  init(room: Int, itemDepth: Int, idName: JSONMemberName, offset: Int) {
    self.room = min(64, room)
    self.itemDepth = itemDepth
    self.idName = idName
    self.offset = offset
  }

  /// Walks over the array or the object that starts at `offset` in `bytes`, and returns where it ends; nil where it is not valid,
  /// or too deep to know.
  mutating func run(_ bytes: Span<UInt8>, _ marks: inout JSONMarks, _ items: inout [JSONElement]) -> Int? {
    let text = bytes.extracting(offset..<bytes.count)
    guard text.count <= Int(Int32.max) else { return nil }
    marks.begin(before: offset)
    while marks.findMore(bytes, from: offset, passed: passed) {
      passed = 0
      switch advance(text, marks.places.span, count: marks.count, &items) {
      case .outOfMarks: break
      case .end(let end): return marks.areSound ? offset &+ end : nil
      case .unsure: return nil
      }
      if !marks.areSound { return nil }
    }
    return nil
  }

  /// The text of the id of the item that ends at `end` in `bytes`; empty where it has none.
  func id(in bytes: Span<UInt8>, before end: Int) -> JSONSlice {
    id(in: bytes.extracting(offset..<end), endingAt: end &- offset)
  }

  private func id(in text: Span<UInt8>, endingAt end: Int) -> JSONSlice {
    guard idStart > 0, let idEnd = try? JSONScanner(maxDepth: .max).scanValue(text, from: idStart, to: end) else {
      return .none
    }
    return JSONSlice(start: offset &+ idStart, end: offset &+ idEnd)
  }

  /// Goes on through the marks of a batch.
  ///
  /// What changes at every step is kept in registers until the end.
  private mutating func advance(
    _ text: Span<UInt8>, _ places: Span<UInt32>, count: Int, _ items: inout [JSONElement]
  ) -> Step {
    var next = passed
    var depth = self.depth
    var objects = self.objects
    var isBeforeValue = self.isBeforeValue
    let last = count &- JSONMarks.reach
    while next <= last {
      if !isBeforeValue {
        let at = Int(places[next])
        let byte = text[at]
        next &+= 1
        if depth == itemDepth { note(text, behind: at, &items) }
        if byte != UInt8(ascii: ",") {
          guard byte == (objects & 1 != 0 ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .unsure }
          depth &-= 1
          objects &>>= 1
          if depth == 0 { return .end(at &+ 1) }
          continue
        }
      }
      if objects & 1 != 0 {
        let name = Int(places[next])
        guard text[name] == UInt8(ascii: "\""), text[Int(places[next &+ 1])] == UInt8(ascii: ":") else {
          return .unsure
        }
        next &+= 2
        if depth &- 1 == itemDepth, idName.stands(in: text, at: name) { idStart = Int(places[next]) }
      } else if depth == itemDepth {
        itemStart = Int(places[next])
        idStart = 0
      }
      let at = Int(places[next])
      let byte = text[at]
      next &+= 1
      isBeforeValue = false
      if byte == UInt8(ascii: "\"") { continue }
      if byte | 0x20 == UInt8(ascii: "{") {
        guard depth < room else { return .unsure }
        let following = Int(places[next])
        // In ASCII a closing bracket is the second after the opening one.
        if text[following] == byte &+ 2 {
          next &+= 1
          if depth == 0 { return .end(following &+ 1) }
          continue
        }
        // ... and a brace has the bit for small letters, which a bracket lacks.
        objects = objects &<< 1 | UInt64(byte &>> 5 & 1)
        depth &+= 1
        isBeforeValue = true
        continue
      }
      guard MarkedScalar.stands(in: text, at: at, before: Int(places[next])) else { return .unsure }
    }
    passed = next
    self.depth = depth
    self.objects = objects
    self.isBeforeValue = isBeforeValue
    return .outOfMarks
  }

  /// Notes the item that ends somewhere before the mark at `next`.
  @inline(never)
  private mutating func note(_ text: Span<UInt8>, behind next: Int, _ items: inout [JSONElement]) {
    var end = next
    while end > itemStart, text[end &- 1] <= 0x20 { end &-= 1 }
    items.append(
      JSONElement(value: JSONSlice(start: offset &+ itemStart, end: offset &+ end), id: id(in: text, endingAt: end)))
  }
}
