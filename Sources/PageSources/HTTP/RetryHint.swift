/// How long a server says to wait before the next try.
enum RetryHint {
  /// The longest wait that is passed on: a day.
  ///
  /// What is longer is a clock gone wrong.
  static let maximumMilliseconds = 86_400_000

  /// Headers with the time at which a limit ends, as seconds from now or as a time since 1970 in seconds or milliseconds.
  private static let resets = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"]

  /// Milliseconds to wait, nil where the server does not say; `now` is in seconds since 1970.
  static func milliseconds(_ headers: HTTPHeaders, now: Int) -> Int? {
    // The server's own clock decides what its dates mean.
    let serverNow = headers.first("date").flatMap { HTTPDate.seconds($0, now: now) } ?? now
    if let value = headers.first("retry-after") {
      if let seconds = wholeNumber(value, allowsFraction: false) { return capped(milliseconds: seconds, times: 1000) }
      if let date = HTTPDate.seconds(value, now: now) {
        return capped(milliseconds: max(0, date - serverNow), times: 1000)
      }
    }
    for name in resets {
      if let value = headers.first(name).flatMap({ wholeNumber($0, allowsFraction: true) }) {
        return reset(value, now: serverNow)
      }
    }
    return nil
  }

  /// Small numbers are a time from now, larger ones a time since 1970; what is past is now.
  private static func reset(_ value: Int, now: Int) -> Int {
    if value >= 100_000_000_000 { return capped(milliseconds: max(0, value - now * 1000), times: 1) }
    // A second more: the limit ends within the one that is named.
    if value >= 1_000_000_000 { return capped(milliseconds: max(0, value - now + 1), times: 1000) }
    return capped(milliseconds: value, times: 1000)
  }

  private static func capped(milliseconds value: Int, times factor: Int) -> Int {
    min(value, maximumMilliseconds / factor) * factor
  }

  /// The number that digits alone are, as large as may be where they are more than fit; a fraction is cut off.
  static func wholeNumber(_ text: [UInt8], allowsFraction: Bool) -> Int? {
    let whole = allowsFraction ? text.prefix { $0 != UInt8(ascii: ".") } : text[...]
    guard !whole.isEmpty, whole.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: whole, as: UTF8.self)) ?? Int.max / 4096
  }
}
