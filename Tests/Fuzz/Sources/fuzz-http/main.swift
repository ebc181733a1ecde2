// An API's answers: headers and body, under every way of paging; and references to URLs.
//
// An input is a header block, an empty line, and the body; its last bytes choose status, paging and load.
import FuzzSupport
import Glibc
import JSONText

@testable import PageSources

let secret = Array("s3cr3t".utf8)
let idPath = JSONPointer(tokens: [Array("id".utf8)])

func pages(_ paging: String, _ more: String = "") -> HTTPPages {
  let text = Array(
    (#"{"type":"http","url":"http://a.example/x/y?k=1","headers":{"Authorization":"s3cr3t"},"paging":\#(paging)"#
      + (more.isEmpty ? "}" : ",\(more)}")).utf8)
  do {
    let object = try SourceObject(text.span, JSONSlice(start: 0, end: text.count), pointer: "/source")
    return HTTPPages(try HTTPSettings(object))
  } catch {
    Fuzzing.fail("the source \(paging) is refused: \(error)")
  }
}

let ways = [
  pages(#""auto""#), pages(#"{"strategy":"single"}"#), pages(#"{"strategy":"page","sizeParam":"n"}"#),
  pages(#"{"strategy":"offset","param":"o","sizeParam":"n"}"#, #""total":"/total","hasMore":"/more""#),
  pages(#"{"strategy":"cursor","from":"/next","to":{"query":"c"}}"#),
  pages(
    #"{"strategy":"cursor","from":{"header":"x-next"},"to":{"header":"X-C"}}"#, #""end":{"repeatedCursor":"poll"}"#),
  pages(#"{"strategy":"cursor","from":"/next","to":{"body":"/a/b"}}"#, #""method":"POST","items":"/items""#),
  pages(#"{"strategy":"link","sizeParam":"n"}"#, #""total":{"header":"x-total"}"#),
  pages(#"{"strategy":"nextUrl","from":"/next","previousFrom":"/previous"}"#, #""end":{"repeatedCursor":"stop"}"#),
  pages(
    #"{"strategy":"graphql","connection":"/data/items","after":"after","before":"before","first":"first","last":"last"}"#,
    #""method":"POST","body":{"query":"q"}"#),
]
let statuses = [200, 200, 200, 200, 204, 206, 301, 403, 404, 429, 500, 503]
let kinds = PageRequest.Kind.allCases

/// Nothing that is shown gives the secret away, whatever the server sends back of it.
func checkError(_ error: SourceError) {
  Fuzzing.check(!Array(error.message.utf8).holds(secret), "a message shows a secret: \(error.message)")
  for detail in error.details {
    JSONPromises.checkValue(detail.json, "a detail")
    Fuzzing.check(!ways[0].settings.secrets.areIn(detail.json), "a detail shows a secret")
  }
}

func checkCall(_ call: HTTPCall) {
  for header in call.headers {
    Fuzzing.check(!header.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }, "a header is one line")
  }
  let text = call.url.text
  Fuzzing.check(text.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL is plain text")
  Fuzzing.check((try? HTTPURL(text))?.text == text, "a URL that is written and read is another one")
  if let body = call.body { JSONPromises.checkValue(body, "a body") }
}

/// A cursor that a page names can be asked with, or is refused as what it is.
func checkCursor(_ field: CursorField, _ pages: HTTPPages, _ kind: PageRequest.Kind) {
  guard case .value(let cursor) = field else { return }
  JSONPromises.checkValue(cursor, "a cursor")
  let request = PageRequest(kind: kind, cursor: cursor, page: 1, offset: 3, limit: 5)
  do throws(SourceError) {
    _ = try pages.page(request, idPath: idPath) { call in
      checkCall(call)
      return HTTPResponse(url: call.url, status: 204, headers: HTTPHeaders([]), body: [])
    }
  } catch {
    checkError(error)
  }
}

func checkReference(_ reference: [UInt8], _ base: HTTPURL) {
  guard let url = try? HTTPURL(reference, relativeTo: base) else { return }
  let again = try? HTTPURL(url.text)
  Fuzzing.check(again == url, "a URL that is written and read is another one: \(url.shown)")
  Fuzzing.check(again?.origin == url.origin, "its origin is another one")
  Fuzzing.check((try? HTTPURL(url.text, relativeTo: base)) == url, "a whole URL depends on no base")
}

func checkAnswer(_ input: [UInt8]) {
  var cutter = InputCutter(input)
  let pages = ways[cutter.choice(below: ways.count)]
  let status = statuses[cutter.choice(below: statuses.count)]
  let kind = kinds[cutter.choice(below: kinds.count)]
  let text = Array(cutter.rest)
  let gap = text.indices.first { text[$0...].starts(with: [0x0A, 0x0A]) } ?? text.count
  let headers = HTTPHeaders(Array(text[..<gap]))
  let body = Array(text[min(gap + 2, text.count)...])
  for field in headers.fields { checkReference(field.value, pages.settings.url) }
  checkDates(headers)
  let isFirst = kind == .initial || kind == .refresh
  let request = PageRequest(kind: kind, page: isFirst ? 0 : 1, offset: isFirst ? 0 : 5, limit: 5)
  do throws(SourceError) {
    let page = try pages.page(request, idPath: idPath) { call in
      checkCall(call)
      return HTTPResponse(url: call.url, status: status, headers: headers, body: body)
    }
    checkPage(page, pages, kind)
  } catch {
    checkError(error)
  }
}

func checkPage(_ page: SourcePage, _ pages: HTTPPages, _ kind: PageRequest.Kind) {
  var end: Int?
  for item in page.items {
    JSONPromises.checkValue(Array(page.bytes[item.value.range]), "an item")
    if let end { Fuzzing.check(item.value.start == end + 1 && page.bytes[end] == 0x2C, "one comma between two items") }
    end = item.value.end
    guard !item.id.isEmpty else { continue }
    Fuzzing.check(item.id.start >= item.value.start && item.id.end <= item.value.end, "an id lies in its item")
    JSONPromises.checkValue(Array(page.bytes[item.id.range]), "an id")
  }
  checkCursor(page.next, pages, .more)
  checkCursor(page.previous, pages, .previous)
}

func checkDates(_ headers: HTTPHeaders) {
  guard let wait = RetryHint.milliseconds(headers, now: 1_800_000_000) else { return }
  Fuzzing.check((0...RetryHint.maximumMilliseconds).contains(wait), "a wait is no longer than may be: \(wait)")
}

exit(
  Fuzzing.run { start, count in
    checkAnswer(Fuzzing.bytes(start, count))
    return 0
  })
