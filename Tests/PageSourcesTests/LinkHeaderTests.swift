import Testing

@testable import PageSources

@Suite struct LinkHeaderTests {
  private func target(_ relation: String, _ values: String...) -> String? {
    LinkHeader(values.map { Array($0.utf8) }).target(relation).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (#"</x>; rel="next""#, "/x"),
    ("</x>;rel=next", "/x"),
    (#"</x> ; title="t" ; REL = "Next""#, "/x"),
    (#"</x>; rel="prev next last""#, "/x"),
    (#"</a,b;c?d="e">; rel="next""#, #"/a,b;c?d="e""#),
    (#"</p>; rel="prev", </x>; rel="next""#, "/x"),
    (#"</p>; title="a, <b>; rel=\"next\""; rel=prev, </x>; rel=next"#, "/x"),
    (#"</x>; title="a=b;c\\"; rel="next""#, "/x"),
    ("</x>; crossorigin; rel=next", "/x"),
    ("</x>; =; rel=next", "/x"),
    (",, ,</p>,</x>; rel=next,", "/x"),
    ("garbage; rel=next, </x>; rel=next", "/x"),
    ("</y>; rel=prev; rel=next, </x>; rel=next", "/x"),
    (##"</y>; rel=next; anchor="#f", </x>; rel=next"##, "/x"),
    ("<>; rel=next", ""),
  ])
  func theTargetIsFound(_ value: String, _ expected: String) {
    #expect(target("next", value) == expected)
    #expect(target("NEXT", value) == expected)
  }

  @Test(arguments: [
    "", ",", "</x", "</x>", "</x>; rel", "</x>; rel=", #"</x>; rel="nextpage""#, #"</x>; title="rel=next""#,
    #"</x>; rev="next""#, #"</x>; title="unclosed; rel=next"#, "x>; rel=next", #"<</x>; rel="\"#,
    "</x>; rel=\"prev \u{301}next\"",
  ])
  func otherwiseThereIsNone(_ value: String) {
    #expect(target("next", value) == nil)
  }

  @Test func severalHeadersAreOneList() {
    #expect(target("next", "</p>; rel=prev", "</x>; rel=next") == "/x")
    #expect(target("prev", "</p>; rel=prev", "</x>; rel=next") == "/p")
  }

  @Test func anyBytesAreRead() {
    var random = SplitMix(seed: 3)
    let alphabet = Array("<>;,=\"\\ relnxt/a\u{e4}\t".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      _ = LinkHeader([bytes])
    }
  }
}
