import Testing

@testable import PageSources

@Suite struct HTTPURLTests {
  private func url(_ text: String) throws -> HTTPURL { try HTTPURL(Array(text.utf8)) }

  private func resolved(_ reference: String, _ base: String = "http://a/b/c/d;p?q") throws -> String {
    String(decoding: try HTTPURL(Array(reference.utf8), relativeTo: url(base)).text, as: UTF8.self)
  }

  @Test(arguments: [
    // RFC 3986 section 5.4, without fragments.
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("?page=2", "http://a/b/c/d;p?page=2"),
    ("  /g\n", "http://a/g"), ("HTTP://Other:80/x", "http://other/x"),
  ])
  func referencesAreResolved(_ reference: String, _ expected: String) throws {
    #expect(try resolved(reference) == expected)
  }

  @Test(arguments: [
    ("/x?page[number]=2&c=a%3D", "http://a/x?page[number]=2&c=a%3D"),
    ("/x?c=a%3D%2B+b", "http://a/x?c=a%3D%2B+b"),
    ("/x?q=a b|c", "http://a/x?q=a%20b%7Cc"),
    ("/ü", "http://a/%C3%BC"),
    ("/%zz", "http://a/%zz"),
  ])
  func whatIsEncodedIsNotEncodedAgain(_ reference: String, _ expected: String) throws {
    #expect(try resolved(reference) == expected)
  }

  @Test(arguments: [
    ("ftp://a/", HTTPURL.Fault.noHTTP), ("file:///etc/passwd", .noHTTP), ("a", .noHTTP), ("http:/a", .noHTTP),
    ("", .noHTTP), ("http://u:p@a/", .userInfo), ("http://evil\\@a/", .userInfo), ("http://", .badHost),
    ("http:///x", .badHost), ("http://a b/", .badHost), ("http://ü/", .badHost), ("http://a%2eb/", .badHost),
    ("http://[::1/", .badHost), ("http://[::1]x/", .badHost), ("http://a:0/", .badPort), ("http://a:65536/", .badPort),
    ("http://a:1x/", .badPort), ("http://a:80:80/", .badPort), ("http://a:99999999999999999999/", .badPort),
  ])
  func otherTextsAreRefused(_ text: String, _ fault: HTTPURL.Fault) {
    #expect(throws: fault) { try url(text) }
  }

  @Test(arguments: [
    ("http://A.Example:80/x", "http://a.example"), ("https://a:443", "https://a"), ("https://a:80", "https://a:80"),
    ("http://[::1]:8080/", "http://[::1]:8080"), ("http://a:", "http://a"), ("http://a:080", "http://a"),
  ])
  func originsAreComparable(_ text: String, _ origin: String) throws {
    #expect(try url(text).origin == origin)
  }

  @Test func parametersTakeThePlaceOfThoseOfTheSameName() throws {
    var url = try url("http://a/?x=1&page=1&%70age=2&y")
    url.setQuery(Array("page".utf8), to: Array("a+b/c= ä".utf8))
    #expect(String(decoding: url.text, as: UTF8.self) == "http://a/?x=1&y&page=a%2Bb%2Fc%3D%20%C3%A4")
    url.setQuery(Array("page[n]".utf8), to: [])
    #expect(String(decoding: url.query ?? [], as: UTF8.self).hasSuffix("&page%5Bn%5D="))
  }

  @Test func aQueryIsNotShown() throws {
    #expect(try url("http://a/b?key=secret").shown == "http://a/b")
  }

  @Test func anyBytesAreRead() throws {
    var random = SplitMix(seed: 5)
    let alphabet = Array("htps:/@[]?#%.&=+ ab1\\\"\u{e4}\0".utf8)
    let base = try url("http://a/b/c?d")
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      _ = try? HTTPURL(bytes)
      _ = try? HTTPURL(Array("http://".utf8) + bytes)
      _ = HTTPHeaders(bytes)
      _ = HTTPDate.seconds(bytes, now: 0)
      guard var resolved = try? HTTPURL(bytes, relativeTo: base) else { continue }
      resolved.setQuery(bytes, to: bytes)
      // What is sent is a URL that means the same again.
      #expect(resolved.text.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(try HTTPURL(resolved.text) == resolved)
    }
  }
}
