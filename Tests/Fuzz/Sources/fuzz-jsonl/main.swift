// Lines of JSON that are taken many at once against the same taken one by one: pages, places and errors, read in any blocks.
import FuzzSupport
import Glibc
import JSONText

@testable import PageSources

/// How a text is read.
struct Way {
  var limits = FileLimits()
  var limit: Int
  var end: Int
  var isFollowed: Bool
}

/// What a page comes to.
struct Outcome: Equatable {
  var items: [[UInt8]] = []
  var ids: [[UInt8]] = []
  var keys: [Int?] = []
  var next = CursorField.absent
  var hasMore: Bool?
  var end = 0
  var wasCutShort = false
  var error: SourceError?
}

let idPath = JSONPointer(tokens: [Array("id".utf8)])

func outcome(_ text: [UInt8], from offset: Int, _ way: Way, together: Bool) -> Outcome {
  let input = MemoryInput(bytes: text)
  let flag = CancellationFlag()
  var pager = JSONLinesPager(
    name: .file(Array("/f.jsonl".utf8)), limits: way.limits, limit: way.limit, idPath: idPath,
    isFollowed: way.isFollowed)
  do throws(ReadFault) {
    let page =
      together
      ? try pager.page(of: input, from: offset, before: way.end, cancellation: flag)
      : try pager.page(
        in: FileWindow(input, from: offset, limits: way.limits, cancellation: flag), before: way.end)
    for (item, following) in zip(page.items, page.items.dropFirst()) {
      Fuzzing.check(
        following.value.start == item.value.end + 1 && page.bytes[item.value.end] == UInt8(ascii: ","),
        "one comma stands between two items")
    }
    return Outcome(
      items: page.items.map { Array(page.bytes[$0.value.range]) },
      ids: page.items.map { Array(page.bytes[$0.id.range]) },
      keys: page.items.map(\.key), next: page.next, hasMore: page.hasMore, end: pager.end,
      wasCutShort: pager.wasCutShort)
  } catch {
    guard case .source(let error) = error else { Fuzzing.fail("memory can be read") }
    return Outcome(error: error)
  }
}

func checkText(_ input: [UInt8]) {
  var cutter = InputCutter(input)
  var limits = FileLimits()
  limits.firstReadBytes = 1 + cutter.choice(below: 250)
  limits.readBytes = limits.firstReadBytes
  if cutter.choice(below: 2) == 0 { limits.pageBytes = 1 + cutter.choice(below: 200) }
  if cutter.choice(below: 4) == 0 { limits.recordBytes = 1 + cutter.choice(below: 60) }
  let way = Way(
    limits: limits, limit: [1, 3, 1000, .max][cutter.choice(below: 4)],
    end: cutter.choice(below: 4) == 0 ? cutter.choice(below: 256) : .max, isFollowed: cutter.choice(below: 2) == 0)
  let text = Array(cutter.rest)
  var offset = 0
  while true {
    let one = outcome(text, from: offset, way, together: false)
    Fuzzing.check(outcome(text, from: offset, way, together: true) == one, "lines taken together make another page")
    guard one.error == nil, one.hasMore == true, one.end > offset else { return }
    offset = one.end
  }
}

exit(
  Fuzzing.run { start, count in
    checkText(Fuzzing.bytes(start, count))
    return 0
  })
