/// Dates in headers, in the three forms that RFC 9110 makes every reader take.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970; nil where the text is no such date.
  ///
  /// `now`, in the same unit, says what century the two digits of a year in the old form belong to.
  static func seconds(_ text: [UInt8], now: Int) -> Int? {
    let words = String(decoding: text, as: UTF8.self).lowercased().split(separator: " ").map { String($0) }
    switch words.count {
    case 6 where words[5] == "gmt" || words[5] == "utc":
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[0].utf8.last == UInt8(ascii: ",") else { return nil }
      return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4...4), time: words[4])
    case 4 where words[3] == "gmt" || words[3] == "utc":
      // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
      guard words[0].utf8.last == UInt8(ascii: ","), parts.count == 3, let short = number(parts[2], digits: 2...2)
      else { return nil }
      // A year that seems more than 50 years ahead is one of the past.
      let thisYear = 1970 + now / 31_556_952
      var year = thisYear / 100 * 100 + short
      if year > thisYear + 50 { year -= 100 }
      return seconds(day: parts[0], month: parts[1], year: year, time: words[2])
    case 5:
      // Sun Nov  6 08:49:37 1994
      return seconds(day: words[2], month: words[1], year: number(words[4], digits: 4...4), time: words[3])
    default:
      return nil
    }
  }

  private static func seconds(day: String, month: String, year: Int?, time: String) -> Int? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2...2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      let day = number(day, digits: 1...2), let month = months.firstIndex(of: month), let year,
      (1...31).contains(day), year >= 1601, hour < 24, minute < 60, second <= 60
    else { return nil }
    return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Days since 1970, counted in years that begin in March, so that leap days come last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
