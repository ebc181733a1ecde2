import JSONText

/// What is wrong with a request's params: which member, and what it should have been.
struct ParamsError: Error, Equatable {
  /// A JSON Pointer into the params.
  let pointer: String
  /// What was expected there.
  let problem: String

  init(_ pointer: String, _ problem: String) {
    self.pointer = pointer
    self.problem = problem
  }
}

/// Reads an object's members with the checks that all methods share.
///
/// Of duplicate members the last counts.
struct Params {
  /// The members of the object.
  let members: [JSONMember]
  /// Where the object stands in the params.
  let pointer: String
  /// Whether null is a value like any other, as in the objects inside of params; else it means that the member is absent.
  let takesNull: Bool

  init(_ members: [JSONMember], pointer: String = "", takesNull: Bool = false) {
    self.members = members
    self.pointer = pointer
    self.takesNull = takesNull
  }

  /// The value of a member that is there.
  @inline(__always)
  func value(_ bytes: Span<UInt8>, _ name: StaticString) -> JSONSlice? {
    guard let value = JSONReader.value(bytes, of: members, named: name),
      takesNull || !JSONReader.isNull(bytes, value)
    else { return nil }
    return value
  }

  /// Refuses members that the protocol does not name, so that a misspelt setting is not taken for its default.
  func refuseOthers(_ bytes: Span<UInt8>, than names: [StaticString]) throws(ParamsError) {
    for member in members {
      let isKnown = names.contains { JSONReader.contentEquals(bytes, member.key, $0) }
      if isKnown { continue }
      let name = member.key.count <= 200 ? JSONReader.string(bytes, content: member.key) : "..."
      let token = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
        .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
      let known = names.map { "\($0)" }.joined(separator: ", ")
      throw ParamsError("\(pointer)/\(token)", "unknown member; known here are \(known)")
    }
  }

  /// The error for a member.
  func error(_ name: StaticString, _ problem: String) -> ParamsError {
    ParamsError("\(pointer)/\(name)", problem)
  }

  func string(_ bytes: Span<UInt8>, _ name: StaticString) throws(ParamsError) -> JSONSlice? {
    guard let value = value(bytes, name) else { return nil }
    guard JSONReader.kind(bytes, value) == .string else { throw error(name, "expected a string") }
    return value
  }

  func integer(
    _ bytes: Span<UInt8>, _ name: StaticString,
    in range: ClosedRange<Int> = -ServerOptions.maxInteger...ServerOptions.maxInteger
  ) throws(ParamsError) -> Int? {
    guard let value = value(bytes, name) else { return nil }
    guard let number = JSONReader.integer(bytes, value), range.contains(number) else {
      throw error(name, "expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func required(
    _ bytes: Span<UInt8>, _ name: StaticString,
    in range: ClosedRange<Int> = -ServerOptions.maxInteger...ServerOptions.maxInteger
  ) throws(ParamsError) -> Int {
    guard let number = try integer(bytes, name, in: range) else {
      throw error(name, "is missing; expected an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func number(
    _ bytes: Span<UInt8>, _ name: StaticString, in range: ClosedRange<Double>
  ) throws(ParamsError) -> Double? {
    guard let value = value(bytes, name) else { return nil }
    guard JSONReader.kind(bytes, value) == .number, let number = JSONReader.number(bytes, value), number.isFinite,
      range.contains(number)
    else { throw error(name, "expected a number from \(range.lowerBound) to \(range.upperBound)") }
    return number
  }

  /// The token of `$/progress`, as it stands.
  func progressToken(_ bytes: Span<UInt8>) throws(ParamsError) -> [UInt8]? {
    guard let value = value(bytes, "workDoneToken") else { return nil }
    let range = -ServerOptions.maxInteger...ServerOptions.maxInteger
    let isToken =
      JSONReader.kind(bytes, value) == .string || JSONReader.integer(bytes, value).map(range.contains) == true
    guard isToken else { throw error("workDoneToken", "expected a string or an integer") }
    return JSONReader.raw(bytes, value)
  }

  func bool(_ bytes: Span<UInt8>, _ name: StaticString) throws(ParamsError) -> Bool? {
    guard let value = value(bytes, name) else { return nil }
    guard let flag = JSONReader.bool(bytes, value) else { throw error(name, "expected true or false") }
    return flag
  }

  /// One of several words; nil where the member is absent.
  func word<Value>(
    _ bytes: Span<UInt8>, _ name: StaticString, _ words: [(StaticString, Value)]
  ) throws(ParamsError) -> Value? {
    guard let value = value(bytes, name) else { return nil }
    for (word, meaning) in words where JSONReader.stringEquals(bytes, value, word) { return meaning }
    throw error(name, "expected \(words.map { "\"\($0.0)\"" }.joined(separator: " or "))")
  }

  /// Refuses a member that is no object; what is in one does not matter.
  func checkObject(_ bytes: Span<UInt8>, _ name: StaticString) throws(ParamsError) {
    guard let value = value(bytes, name), JSONReader.kind(bytes, value) != .object else { return }
    throw error(name, "expected an object")
  }

  /// A member that is an object, with its own members.
  func object(_ bytes: Span<UInt8>, _ name: StaticString) throws(ParamsError) -> Params? {
    guard let value = value(bytes, name) else { return nil }
    guard let object = Params.object(bytes, at: value, pointer: "\(pointer)/\(name)") else {
      throw error(name, "expected an object")
    }
    return object
  }

  /// The object at a value; nil where it is none.
  static func object(_ bytes: Span<UInt8>, at value: JSONSlice, pointer: String) -> Params? {
    guard JSONReader.kind(bytes, value) == .object else { return nil }
    var members: [JSONMember] = []
    // The text was validated with its frame, at whatever depth the server allows.
    let scanner = JSONScanner(maxDepth: Int.max)
    guard (try? scanner.scanObject(bytes, from: value.start, to: value.end, members: &members)) != nil else {
      return nil
    }
    return Params(members, pointer: pointer, takesNull: true)
  }
}
