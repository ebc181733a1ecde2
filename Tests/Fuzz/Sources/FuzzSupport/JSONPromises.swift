import JSONText

/// Promises about JSON text that several targets check.
public enum JSONPromises {
  /// Deep enough for whatever nests one level less than the scanner allows.
  private static let scanner = JSONScanner(maxDepth: 2_000)

  /// Ends the run unless `text` is exactly one JSON value without anything around it.
  public static func checkValue(_ text: [UInt8], _ name: @autoclosure () -> String) {
    let whole = JSONSlice(start: 0, end: text.count)
    if (try? scanner.scanDocument(text.span, whole)) == whole { return }
    Fuzzing.fail("\(name()) is no JSON value: \(String(decoding: text, as: UTF8.self))")
  }
}
