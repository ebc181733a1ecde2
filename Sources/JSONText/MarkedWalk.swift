/// A walk over an array or an object from mark to mark, which checks the grammar and notes items on its way.
///
/// Whatever stands between two marks is one string, number or word at most: the search for them has seen to that, and has checked
/// strings. A code tells which mark it is and whether a string ends before it; so the text itself is looked at for numbers, for words
/// and for the names of an item's members.
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

  /// The next mark of the batch to look at; the one before it, passed last, is still there.
  private var next = 1
  /// How many arrays and objects are open.
  private var depth = 0
  /// Which of them are objects: a bit each, the innermost lowest.
  private var objects: UInt64 = 0
  /// Whether an array or an object has just ended, and a comma or a closing bracket comes next; else a value or a member does.
  private var isBehindBracket = false
  /// Where the present item starts.
  private var itemStart = 0
  /// Where the value of its member named id starts; 0, where no member is, if it has none so far.
  private var idStart = 0
  /// Where that value ends; 0 where it is an array or an object, whose end is still to be found.
  private var idEnd = 0

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
    marks.begin(bytes: text.count, before: offset)
    var passed = 0
    while marks.findMore(bytes, from: offset, passed: passed) {
      next = 1
      if depth == 0 { open(text[0]) }
      switch advance(text, marks.places.span, marks.codes.span, count: marks.count, &items) {
      case .outOfMarks: passed = next &- 1
      case .end(let end): return marks.areSound ? offset &+ end : nil
      case .unsure: return nil
      }
      if !marks.areSound { return nil }
    }
    return nil
  }

  /// Goes into an array or an object.
  private mutating func open(_ bracket: UInt8) {
    objects = MarkedWalk.objects(objects, with: bracket)
    depth &+= 1
  }

  /// A brace has the bit for small letters, which a bracket lacks.
  @inline(__always)
  private static func objects(_ objects: UInt64, with bracket: UInt8) -> UInt64 {
    objects &<< 1 | UInt64(bracket &>> 5 & 1)
  }

  /// The text of the id of the item that ends at `end` in `bytes`; empty where it has none.
  func id(in bytes: Span<UInt8>, before end: Int) -> JSONSlice {
    id(in: bytes.extracting(offset..<end), endingAt: end &- offset)
  }

  private func id(in text: Span<UInt8>, endingAt end: Int) -> JSONSlice {
    if idStart == 0 { return .none }
    if idEnd > 0 { return JSONSlice(start: offset &+ idStart, end: offset &+ idEnd) }
    guard let idEnd = try? JSONScanner(maxDepth: .max).scanValue(text, from: idStart, to: end) else { return .none }
    return JSONSlice(start: offset &+ idStart, end: offset &+ idEnd)
  }

  /// Goes on through the marks of a batch.
  ///
  /// What changes at every step is kept in registers until the end.
  private mutating func advance(
    _ text: Span<UInt8>, _ places: Span<UInt32>, _ codes: Span<UInt8>, count: Int, _ items: inout [JSONElement]
  ) -> Step {
    var next = self.next
    var depth = self.depth
    var objects = self.objects
    var isBehindBracket = self.isBehindBracket
    let itemDepth = itemDepth
    let last = count &- JSONMarks.reach
    while next <= last {
      if !isBehindBracket, objects & 1 != 0, codes.word16(at: next) == MarkedWalk.stringMember {
        // Most members are strings with a comma behind.
        if depth &- 1 == itemDepth { noteName(text, places, before: next) }
        next &+= 2
        continue
      }
      var hasValue = true
      if isBehindBracket {
        guard MarkedWalk.isNothing(text, places, before: next) else { return .unsure }
      } else if objects & 1 != 0, !MarkedWalk.isColon(text, places, codes, next) {
        guard MarkedWalk.isEndOfNothing(codes, next), MarkedWalk.isNothing(text, places, before: next) else {
          return .unsure
        }
        hasValue = false
      } else {
        if objects & 1 != 0 {
          if depth &- 1 == itemDepth { noteName(text, places, before: next) }
          next &+= 1
        } else if depth == itemDepth {
          itemStart = MarkedWalk.start(text, places, before: next)
          idStart = 0
        }
        let code = codes[next]
        if code < JSONMarks.behindString {
          let start = MarkedWalk.start(text, places, before: next)
          let at = Int(places[next])
          if start >= at {
            if code | 0x20 == UInt8(ascii: "{") {
              guard depth < room else { return .unsure }
              objects = MarkedWalk.objects(objects, with: code)
              depth &+= 1
              next &+= 1
              continue
            }
            guard MarkedWalk.isEndOfNothing(codes, next) else { return .unsure }
            hasValue = false
          } else if text[start] != UInt8(ascii: "\"") {
            guard MarkedScalar.stands(in: text, at: start, before: at) else { return .unsure }
          }
        }
      }
      // A value ends here, or an array or an object that has none.
      if depth == itemDepth, hasValue { note(text, behind: Int(places[next]), &items) }
      let mark = codes[next] & ~JSONMarks.behindString
      next &+= 1
      isBehindBracket = mark != UInt8(ascii: ",")
      if isBehindBracket {
        guard mark == (objects & 1 != 0 ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .unsure }
        objects &>>= 1
        depth &-= 1
        if depth == 0 { return .end(Int(places[next &- 1]) &+ 1) }
      }
    }
    self.next = next
    self.depth = depth
    self.objects = objects
    self.isBehindBracket = isBehindBracket
    return .outOfMarks
  }

  /// A colon behind a string, and behind it a comma behind one.
  private static var stringMember: UInt16 {
    UInt16(UInt8(ascii: ":") | JSONMarks.behindString) | UInt16(UInt8(ascii: ",") | JSONMarks.behindString) &<< 8
  }

  /// Whether the mark at `next` is a colon behind a string.
  @inline(__always)
  private static func isColon(_ text: Span<UInt8>, _ places: Span<UInt32>, _ codes: Span<UInt8>, _ next: Int) -> Bool {
    if codes[next] == UInt8(ascii: ":") | JSONMarks.behindString { return true }
    guard codes[next] == UInt8(ascii: ":") else { return false }
    // White space may stand in between.
    let start = start(text, places, before: next)
    return start < Int(places[next]) && text[start] == UInt8(ascii: "\"")
  }

  /// Whether the mark at `next` ends what the mark before it has opened.
  @inline(__always)
  private static func isEndOfNothing(_ codes: Span<UInt8>, _ next: Int) -> Bool {
    // In ASCII a closing bracket is the second after the opening one.
    codes[next] | 0x20 == UInt8(ascii: "}") && codes[next &- 1] & ~JSONMarks.behindString == codes[next] &- 2
  }

  /// Whether at most white space stands between the mark at `next` and the one before it.
  @inline(__always)
  private static func isNothing(_ text: Span<UInt8>, _ places: Span<UInt32>, before next: Int) -> Bool {
    start(text, places, before: next) == Int(places[next])
  }

  /// Where what stands between the mark at `next` and the one before it starts; `next` itself if nothing does.
  @inline(__always)
  private static func start(_ text: Span<UInt8>, _ places: Span<UInt32>, before next: Int) -> Int {
    let start = Int(places[next &- 1]) &+ 1
    let end = Int(places[next])
    return start < end && text[start] <= 0x20 ? JSONScanner.skipWhitespace(text, start, end) : start
  }

  /// Notes the value behind the colon at `next`, if the name before that is an id's.
  @inline(__always)
  private mutating func noteName(_ text: Span<UInt8>, _ places: Span<UInt32>, before next: Int) {
    let name = Int(places[next &- 1]) &+ 1
    if idName.cannotStand(in: text, at: name) { return }
    noteID(text, places, before: next)
  }

  @inline(never)
  private mutating func noteID(_ text: Span<UInt8>, _ places: Span<UInt32>, before next: Int) {
    guard idName.stands(in: text, at: MarkedWalk.start(text, places, before: next)) else { return }
    idStart = MarkedWalk.start(text, places, before: next &+ 1)
    idEnd = 0
    let end = Int(places[next &+ 1])
    guard idStart < end, text[idStart] | 0x20 != UInt8(ascii: "{") else { return }
    idEnd = MarkedWalk.end(text, of: idStart, before: end)
  }

  /// Where a value that starts at `start` ends, with white space at most between that and the mark at `next`.
  @inline(__always)
  private static func end(_ text: Span<UInt8>, of start: Int, before next: Int) -> Int {
    var end = next
    while end > start, text[end &- 1] <= 0x20 { end &-= 1 }
    return end
  }

  /// Notes the item that ends somewhere before the mark at `next`.
  @inline(never)
  private mutating func note(_ text: Span<UInt8>, behind next: Int, _ items: inout [JSONElement]) {
    let end = MarkedWalk.end(text, of: itemStart, before: next)
    items.append(
      JSONElement(value: JSONSlice(start: offset &+ itemStart, end: offset &+ end), id: id(in: text, endingAt: end)))
  }
}
