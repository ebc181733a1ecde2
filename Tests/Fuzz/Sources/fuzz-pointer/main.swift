// JSON Pointer: text and tokens, and what is found against a slow walk. An input is a pointer, a line feed, and a text.
import FuzzSupport
import Glibc
import JSONText

/// Where the pointer leads, found by recording everything on the way.
func slowly(_ text: [UInt8], _ value: JSONSlice, _ tokens: ArraySlice<[UInt8]>) -> JSONSlice? {
  guard let token = tokens.first else { return value }
  let scanner = JSONScanner()
  switch text[value.start] {
  case UInt8(ascii: "{"):
    var members: [JSONMember] = []
    guard (try? scanner.scanObject(text.span, from: value.start, to: value.end, members: &members)) != nil else {
      Fuzzing.fail("an object inside a valid text is none")
    }
    let found = members.last { member in
      let quoted = JSONSlice(start: member.key.start - 1, end: member.key.end + 1)
      return JSONReader.stringBytes(text.span, quoted) == token
    }
    return found.flatMap { slowly(text, $0.value, tokens.dropFirst()) }
  case UInt8(ascii: "["):
    var elements: [JSONElement] = []
    guard (try? scanner.scanArray(text.span, from: value.start, to: value.end, elements: &elements)) != nil else {
      Fuzzing.fail("an array inside a valid text is none")
    }
    let found = elements.indices.first { Array("\($0)".utf8) == token }
    return found.flatMap { slowly(text, elements[$0].value, tokens.dropFirst()) }
  default: return nil
  }
}

func checkPointer(_ input: [UInt8]) {
  var cutter = InputCutter(input)
  let text = cutter.piece(upTo: 0x0A) ?? []
  let document = Array(cutter.rest)
  guard let pointer = try? JSONPointer(utf8: text) else {
    Fuzzing.check(!text.isEmpty, "no text is the pointer to everything")
    return
  }
  if String(validating: text, as: UTF8.self) != nil {
    Fuzzing.check(Array(pointer.text.utf8) == text, "a pointer's text is what it was read from")
  }
  Fuzzing.check((try? JSONPointer(pointer.text))?.tokens.count == pointer.tokens.count, "its text has as many tokens")
  let whole = JSONSlice(start: 0, end: document.count)
  guard let value = try? JSONScanner().scanDocument(document.span, whole) else {
    // What was not validated may be answered with anything that lies inside of it.
    let found = pointer.resolve(in: document.span, whole)
    Fuzzing.check(found?.fits(in: document.count) ?? true, "what is found lies inside")
    return
  }
  Fuzzing.check(
    pointer.resolve(in: document.span, value) == slowly(document, value, pointer.tokens[...]),
    "the pointer and a slow walk do not agree")
}

exit(
  Fuzzing.run { start, count in
    checkPointer(Fuzzing.bytes(start, count))
    return 0
  })
