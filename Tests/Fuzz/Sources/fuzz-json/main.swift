// The scanner against the grammar written down slowly, and what readers and writers promise about what it accepts.
import FuzzSupport
import Glibc
import JSONText
import TestSupport

/// Small, so that its limit is met by short inputs.
let scanner = JSONScanner(maxDepth: 12)
/// One for all inputs, as in the server; a fuzz target has one thread.
nonisolated(unsafe) var marks = JSONMarks()

func checkText(_ text: [UInt8]) {
  let whole = JSONSlice(start: 0, end: text.count)
  let value = try? scanner.scanDocument(text.span, whole)
  Fuzzing.check(
    (value != nil) == ReferenceScanner.accepts(text, maxDepth: 12), "the scanner and the grammar do not agree")
  checkMarks(text)
  guard let value else { return }
  // Where a text stands must not matter, and neither what stands around it.
  let pad = text.count % 17
  let padded = [UInt8](repeating: 0x22, count: pad) + text + [UInt8](repeating: 0x5C, count: 9)
  let moved = try? scanner.scanDocument(padded.span, whole.moved(by: pad))
  Fuzzing.check(moved == value.moved(by: pad), "the same text elsewhere is another one")
  checkValue(text, value)
}

/// Marks must lead to the same: the array's end, its elements and their ids, or its error.
func checkMarks(_ text: [UInt8]) {
  let filler = [UInt8](repeating: 0x78, count: 256 + text.count % 64)
  let array = Array("[\"".utf8) + filler + Array("\",".utf8) + text + [0x5D]
  var elements: [JSONElement] = []
  var marked: [JSONElement] = []
  let end = Result { () throws(JSONSyntaxError) in
    try scanner.scanArray(array.span, from: 0, to: array.count, elements: &elements)
  }
  let markedEnd = Result { () throws(JSONSyntaxError) in
    try scanner.scanArray(array.span, from: 0, to: array.count, elements: &marked, marks: &marks)
  }
  Fuzzing.check(end == markedEnd, "an array ends elsewhere by its marks")
  guard case .success = end else { return }
  Fuzzing.check(elements == marked, "an array has other elements by its marks")
}

/// What holds for a value that was accepted.
func checkValue(_ text: [UInt8], _ value: JSONSlice) {
  let span = text.span
  switch JSONReader.kind(span, value) {
  case .object:
    var members: [JSONMember] = []
    let end = try? scanner.scanObject(span, from: value.start, to: text.count, members: &members)
    Fuzzing.check(end == value.end, "an object ends elsewhere when its members are recorded")
    for member in members {
      Fuzzing.check((try? scanner.scanDocument(span, member.value)) == member.value, "a member's value is no value")
      Fuzzing.check(member.key.end < member.value.start, "a member's name stands before its value")
    }
  case .array:
    var elements: [JSONElement] = []
    let end = try? scanner.scanArray(span, from: value.start, to: text.count, elements: &elements)
    Fuzzing.check(end == value.end, "an array ends elsewhere when its elements are recorded")
    for element in elements {
      Fuzzing.check((try? scanner.scanDocument(span, element.value)) == element.value, "an element is no value")
      let id = JSONPointer(tokens: [Array("id".utf8)]).resolve(in: span, element.value) ?? .none
      let isObject = JSONReader.kind(span, element.value) == .object
      Fuzzing.check(!isObject || id == element.id, "the id found on the way is not that of the pointer")
    }
  case .string: checkString(text, value)
  case .number: checkNumber(text, value)
  case .bool: Fuzzing.check(JSONReader.bool(span, value) != nil, "true or false has a value")
  case .null: Fuzzing.check(JSONReader.isNull(span, value), "null is null")
  case nil: Fuzzing.fail("a value has no kind")
  }
}

func checkString(_ text: [UInt8], _ value: JSONSlice) {
  guard let content = JSONReader.stringBytes(text.span, value) else { Fuzzing.fail("a string has no content") }
  var encoded: [UInt8] = [0x22]
  let isUTF8 = JSONStringEncoder.append(content.span, to: &encoded)
  encoded.append(0x22)
  JSONPromises.checkValue(encoded, "an encoded string")
  let again = JSONReader.stringBytes(encoded.span, JSONSlice(start: 0, end: encoded.count))
  // Lone surrogates are decoded to what is no UTF-8, and are the only reason why something comes back otherwise.
  Fuzzing.check(!isUTF8 || again == content, "a string that was written and read is another one")
  let id = CanonicalID(text.span, value)
  Fuzzing.check(id?.kind == .string && id?.bytes == content, "a string's id is its content")
}

func checkNumber(_ text: [UInt8], _ value: JSONSlice) {
  let shown = String(decoding: text[value.range], as: UTF8.self)
  Fuzzing.check(JSONReader.integer(text.span, value) == Int(shown), "an integer is what Swift says: \(shown)")
  Fuzzing.check(JSONReader.number(text.span, value) == strtod(shown, nil), "a number is what C says: \(shown)")
  let isInteger = shown.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
  Fuzzing.check((CanonicalID(text.span, value) != nil) == isInteger, "only integers are ids")
}

exit(
  Fuzzing.run { start, count in
    checkText(Fuzzing.bytes(start, count))
    return 0
  })
