import Testing

@testable import PageSources

@Suite struct RetryHintTests {
  /// 6 November 1994, 08:49:37.
  private static let now = 784_111_777

  private func hint(_ headers: String) -> Int? {
    RetryHint.milliseconds(HTTPHeaders(Array("HTTP/1.1 429 x\r\n\(headers)\r\n\r\n".utf8)), now: Self.now)
  }

  @Test(arguments: [
    ("Retry-After: 3", 3000), ("retry-after:0", 0), ("Retry-After: 99999999999999999999", 86_400_000),
    ("Retry-After: Sun, 06 Nov 1994 08:49:47 GMT", 10_000),
    ("Retry-After: Sunday, 06-Nov-94 08:49:47 GMT", 10_000),
    ("Retry-After: Sun Nov  6 08:49:47 1994", 10_000),
    ("Retry-After: Sun, 06 Nov 1994 08:49:00 GMT", 0),
    ("Retry-After: Sun, 06 Nov 2094 08:49:00 GMT", 86_400_000),
    // The server's clock is an hour ahead.
    ("Date: Sun, 06 Nov 1994 09:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 09:49:47 GMT", 10_000),
    ("RateLimit-Reset: 7", 7000), ("X-RateLimit-Reset: 7.9", 7000), ("X-Rate-Limit-Reset: 7", 7000),
    ("X-RateLimit-Reset: 1000000000000", 86_400_000),
    ("Retry-After: soon\r\nRateLimit-Reset: 7", 7000), ("Retry-After: 2\r\nRateLimit-Reset: 7", 2000),
  ])
  func theWaitIsRead(_ headers: String, _ milliseconds: Int) {
    #expect(hint(headers) == milliseconds)
  }

  @Test(arguments: [
    "X: 3", "Retry-After: -3", "Retry-After: 1.5", "Retry-After: ", "Retry-After: Sun, 32 Nov 1994 08:49:37 GMT",
  ])
  func otherwiseNothingIsSaid(_ headers: String) {
    #expect(hint(headers) == nil)
  }

  @Test func aResetSince1970IsTold() {
    let headers = { (text: String) in HTTPHeaders(Array("X-RateLimit-Reset: \(text)\r\n".utf8)) }
    let now = 1_700_000_000
    #expect(RetryHint.milliseconds(headers("1700000009"), now: now) == 10_000)
    #expect(RetryHint.milliseconds(headers("1700000009000"), now: now) == 9000)
    #expect(RetryHint.milliseconds(headers("1600000000"), now: now) == 0)
    #expect(RetryHint.milliseconds(headers("1600000000000"), now: now) == 0)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func datesAreSecondsSince1970(_ text: String, _ seconds: Int) {
    #expect(HTTPDate.seconds(Array(text.utf8), now: 1_700_000_000) == seconds)
  }

  @Test func headersOfInformationalResponsesAreDropped() {
    let headers = HTTPHeaders(
      Array("HTTP/1.1 100 x\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\nB:  2 \r\n 3\r\nbad\r\nB: 4\r\n\r\n".utf8))
    #expect(headers.first("a") == nil)
    #expect(headers.all("b").map { String(decoding: $0, as: UTF8.self) } == ["2 3", "4"])
  }
}
