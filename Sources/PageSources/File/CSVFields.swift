import JSONText

/// Takes the fields of one record apart; see `CSVReader` for what a field is.
enum CSVFields {
  /// Appends the field that starts at `start` as a JSON string, and returns where the next one starts: `end + 1` where
  /// this was the last.
  static func append(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, _ delimiter: UInt8, _ json: inout [UInt8]
  ) -> Int {
    json.append(0x22)
    var index = start
    if index < end, bytes[index] == 0x22 {
      index = appendQuoted(bytes, from: index &+ 1, to: end, &json)
    }
    let rest = index
    while index < end, bytes[index] != delimiter { index &+= 1 }
    JSONStringEncoder.append(bytes.extracting(rest..<index), to: &json)
    json.append(0x22)
    return index &+ 1
  }

  /// Appends what stands between quotes and returns the index behind the closing one.
  private static func appendQuoted(_ bytes: Span<UInt8>, from start: Int, to end: Int, _ json: inout [UInt8]) -> Int {
    var index = start
    var run = start
    while index < end {
      if bytes[index] == 0x22 {
        let isDoubled = index &+ 1 < end && bytes[index &+ 1] == 0x22
        // Of two quotes one is taken along.
        JSONStringEncoder.append(bytes.extracting(run..<(isDoubled ? index &+ 1 : index)), to: &json)
        if !isDoubled { return index &+ 1 }
        index &+= 2
        run = index
      } else {
        index &+= 1
      }
    }
    JSONStringEncoder.append(bytes.extracting(run..<end), to: &json)
    return end
  }
}
