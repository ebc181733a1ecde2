import Testing

@testable import PageSources

@Suite struct HTTPSecretsTests {
  private func secrets(_ values: [(name: String, value: String)]) -> HTTPSecrets {
    var secrets = HTTPSecrets()
    for (name, value) in values {
      if name.isEmpty { secrets.add(Array(value.utf8)) } else { secrets.add(Array(value.utf8), name: name) }
    }
    return secrets
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [
    "http://a/?key=s%20e%2Fcret+%26&x=1", "http://a/?key=s+e%2Fcret%2B%26", "http://a/?key=s%20e%2fcret%2b%26",
    "http://a/s%20e/cret%2B%26/x", "http://a/?a=s%20e%2Fcret%2B%26&b=s+e%2Fcret%2B%26",
  ])
  func aURLHasNamesInPlaceOfValuesAndComesBackAsItWas(_ url: String) {
    let secrets = secrets([("KEY", "s e/cret+&")])
    let named = secrets.named(Array(url.utf8))
    #expect(text(secrets.restored(named)) == url)
    if url.contains("cret%2B") || url.contains("cret%2b") {
      #expect(!text(named).contains("cret"))
      #expect(text(named).contains("{KEY."))
    }
  }

  @Test func aValueThatIsAPartOfAnotherHidesNoLess() {
    let secrets = secrets([("A", "secret"), ("B", "secret-and-more")])
    let url = "http://a/?a=secret&b=secret-and-more"
    let named = text(secrets.named(Array(url.utf8)))
    #expect(!named.contains("secret"))
    #expect(text(secrets.restored(Array(named.utf8))) == url)
  }

  @Test func valuesThatWereSpelledOutAreNoPartOfACursor() {
    let secrets = secrets([("", "header-value")])
    #expect(text(secrets.named(Array("http://a/header-value".utf8))) == "http://a/header-value")
    #expect(secrets.hidden("see header-value") == "see …")
    #expect(secrets.areIn(Array("see header-value".utf8)))
  }

  @Test func whatIsShorterThanFourBytesIsNoSecret() {
    let secrets = secrets([("A", "abc"), ("", "xyz")])
    #expect(secrets.hidden("abc xyz") == "abc xyz")
    #expect(text(secrets.named(Array("http://a/abc".utf8))) == "http://a/abc")
  }

  @Test func whatStandsBehindAURLsOriginIsASecretWithItsParts() throws {
    var secrets = HTTPSecrets()
    secrets.add(try HTTPURL(Array("https://a/hooks/T123?key=K123&n=1".utf8)), name: "URL")
    for shown in ["https://a/hooks/T123?key=K123&n=1", "https://a/hooks/T123", "https://a/other?key=K123"] {
      let named = text(secrets.named(Array(shown.utf8)))
      #expect(!named.contains("T123") && !named.contains("K123"))
      #expect(named.hasPrefix("https://a/") || named.hasPrefix("https://a{URL"))
      #expect(text(secrets.restored(Array(named.utf8))) == shown)
    }
  }

  @Test func textThatLooksLikeANameIsLeftAlone() {
    let secrets = secrets([("KEY", "value-of-it")])
    #expect(text(secrets.restored(Array("http://a/{OTHER.0}{KEY}{KEY.99}".utf8))) == "http://a/{OTHER.0}{KEY}{KEY.99}")
  }
}
