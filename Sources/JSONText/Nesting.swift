/// Which of the open brackets are braces: one bit each, so that depth costs no call stack and, up to 64 levels, no memory.
struct Nesting {
  /// How many arrays and objects are open.
  private(set) var depth = 0
  /// The innermost levels, innermost lowest; 1 is an object.
  private var bits: UInt64 = 0
  /// Full words of the levels outside of those in `bits`.
  private var outer: [UInt64] = []

  @inline(__always)
  init() {}

  /// Whether the innermost open bracket is an object's.
  @inline(__always)
  var isInObject: Bool { bits & 1 != 0 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { outer.append(bits) }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  @inline(__always)
  mutating func pop() {
    depth &-= 1
    if depth & 63 == 0, depth > 0 { bits = outer.removeLast() } else { bits &>>= 1 }
  }
}
