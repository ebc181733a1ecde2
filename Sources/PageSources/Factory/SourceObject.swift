import JSONText

/// The members of a source object, read strictly: each is asked for with its type, and what is left over is refused.
struct SourceObject: Sendable {
  /// JSON Pointer to the object in the request's params.
  let pointer: String
  /// The object's text.
  let bytes: [UInt8]
  /// What the source may reach.
  var policy = SourcePolicy.unrestricted
  private let members: [JSONMember]

  /// The object at `value` in `text`; any other value is a params error.
  init(
    _ text: Span<UInt8>, _ value: JSONSlice, pointer: String, expected: String = "an object with a member \"type\""
  ) throws(SourceOpenError) {
    let bytes = JSONReader.raw(text, value)
    var members: [JSONMember] = []
    do {
      _ = try JSONScanner().scanObject(bytes.span, from: 0, to: bytes.count, members: &members)
    } catch {
      throw .params(SourceParamsError(pointer: pointer, problem: "expected \(expected)"))
    }
    self.pointer = pointer
    self.bytes = bytes
    self.members = members
  }

  /// The value of a member; of several with one name the last counts.
  func value(_ name: String) -> JSONSlice? {
    var name = name
    return name.withUTF8 { JSONReader.value(bytes.span, of: members, named: $0.span) }
  }

  /// The names of all members, in their order.
  var names: [String] { members.map(memberName) }

  /// Refuses every member that is none of `known`; those of `unsupported` are members of the protocol that this build
  /// lacks.
  func refuseOthers(
    than known: [String], unsupported: [String] = [], allowsType: Bool = true
  ) throws(SourceOpenError) {
    for member in members {
      let name = memberName(member)
      if allowsType && name == "type" || known.contains(name) { continue }
      if unsupported.contains(name) { throw error(name, "not supported by this build") }
      throw error(name, "unknown member; known here are \(known.joined(separator: ", "))")
    }
  }

  /// The params error for a member of the object.
  func error(_ name: String, _ problem: String) -> SourceOpenError {
    .params(SourceParamsError(pointer: "\(pointer)/\(Self.escaped(Self.shown(name)))", problem: problem))
  }

  /// The params error for something inside of a member: `path` is what follows the member's name in the pointer.
  func error(_ name: String, at path: String, _ problem: String) -> SourceOpenError {
    .params(SourceParamsError(pointer: "\(pointer)/\(name)/\(path)", problem: problem))
  }

  // MARK: Members by type

  /// A string that must be there.
  func requiredString(
    _ name: String, expected: @autoclosure () -> String = "a string"
  ) throws(SourceOpenError) -> String {
    String(decoding: try requiredStringBytes(name, expected: expected()), as: UTF8.self)
  }

  /// The bytes of a string that must be there; they need not be UTF-8 where the text escapes lone surrogates.
  func requiredStringBytes(
    _ name: String, expected: @autoclosure () -> String = "a string"
  ) throws(SourceOpenError) -> [UInt8] {
    guard let value = value(name), let text = JSONReader.stringBytes(bytes.span, value) else {
      throw error(name, "expected \(expected())")
    }
    return text
  }

  /// One of several words, nil where the member is absent.
  func word(_ name: String, of words: [String]) throws(SourceOpenError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = JSONReader.string(bytes.span, value), words.contains(text) else {
      throw error(name, "expected one of " + words.map { "\"\($0)\"" }.joined(separator: ", "))
    }
    return text
  }

  /// A boolean, nil where the member is absent.
  func bool(_ name: String) throws(SourceOpenError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = JSONReader.bool(bytes.span, value) else { throw error(name, "expected true or false") }
    return bool
  }

  /// An integer within `range`, nil where the member is absent.
  func integer(_ name: String, in range: ClosedRange<Int> = Self.integers) throws(SourceOpenError) -> Int? {
    guard let value = value(name) else { return nil }
    guard let integer = integer(at: value, in: range) else {
      throw error(name, Self.expectedInteger(in: range))
    }
    return integer
  }

  /// An array of integers within `range`, empty where the member is absent.
  func integers(_ name: String, in range: ClosedRange<Int> = Self.integers) throws(SourceOpenError) -> [Int] {
    guard let value = value(name) else { return [] }
    var integers: [Int] = []
    for (index, element) in try elements(of: value, name, expected: "an array of integers").enumerated() {
      guard let integer = integer(at: element.value, in: range) else {
        throw error(name, at: "\(index)", Self.expectedInteger(in: range))
      }
      integers.append(integer)
    }
    return integers
  }

  /// The elements of the array that `value`, the value of the member `name`, must be.
  func elements(of value: JSONSlice, _ name: String, expected: String) throws(SourceOpenError) -> [JSONElement] {
    var elements: [JSONElement] = []
    do {
      _ = try JSONScanner().scanArray(bytes.span, from: value.start, to: value.end, elements: &elements)
    } catch {
      throw self.error(name, "expected \(expected)")
    }
    return elements
  }

  /// What kind of value stands at `value`.
  func kind(of value: JSONSlice) -> JSONKind? {
    JSONReader.kind(bytes.span, value)
  }

  // MARK: Words

  /// The integers of the protocol: those that every JSON reader keeps exact.
  static let integers = -(1 << 53)...(1 << 53)
  /// The integers of the protocol that are no less than nothing.
  static let counts = 0...(1 << 53)

  /// What is said where another value than an integer within `range` stands.
  static func expectedInteger(in range: ClosedRange<Int>) -> String {
    if range == counts { return "expected an integer from 0 to 2^53" }
    if range == integers { return "expected an integer within plus or minus 2^53" }
    return "expected an integer from \(range.lowerBound) to \(range.upperBound)"
  }

  /// A name that came from outside, cut to what fits into a message.
  static func shown(_ name: String) -> String {
    let limit = 200
    if name.unicodeScalars.count <= limit { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.prefix(limit))) + "…"
  }

  /// The integer at `value`, nil where it is none within `range`.
  func integer(at value: JSONSlice, in range: ClosedRange<Int>) -> Int? {
    guard let integer = JSONReader.integer(bytes.span, value), range.contains(integer) else { return nil }
    return integer
  }

  private func memberName(_ member: JSONMember) -> String {
    JSONReader.string(bytes.span, content: member.key)
  }

  /// A name as a part of a JSON Pointer.
  static func escaped(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
