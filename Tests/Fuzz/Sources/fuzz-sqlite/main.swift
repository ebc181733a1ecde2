// Cursors of the sqlite source: what is one comes back as the same one.
import FuzzSupport
import Glibc
import JSONText

@testable import PageSources

func checkCursor(_ text: [UInt8]) {
  guard let cursor = SQLiteCursor(text) else { return }
  guard case .value(let written) = cursor.field else { Fuzzing.fail("a cursor has a text") }
  JSONPromises.checkValue(written, "a cursor")
  let again = SQLiteCursor(written)
  Fuzzing.check(again == cursor, "a cursor that is written and read is another one: \(cursor)")
  if case .after(let place) = cursor { checkPlace(place) }
  if case .before(let place) = cursor { checkPlace(place) }
}

func checkPlace(_ place: SQLitePlace) {
  Fuzzing.check(SourceObject.counts.contains(place.equal), "a count of rows is one")
  for value in place.values {
    if case .real(let real) = value { Fuzzing.check(!real.isNaN, "a place is ordered") }
    guard case .blob(let bytes) = value else { continue }
    var encoded: [UInt8] = []
    Base64.append(bytes.span, to: &encoded)
    Fuzzing.check(Base64.decode(encoded[...]) == bytes, "bytes come back from their text")
  }
}

exit(
  Fuzzing.run { start, count in
    checkCursor(Fuzzing.bytes(start, count))
    return 0
  })
