/// Cuts an input into what a target wants to choose by it: small numbers from its end, text from what is left.
///
/// The choices stand at the end, so that the text begins where the input does and a corpus can be read.
public struct InputCutter {
  /// What has not been used.
  public private(set) var rest: ArraySlice<UInt8>

  /// A cutter of all of an input.
  public init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// A number below `bound`, 0 where nothing is left.
  public mutating func choice(below bound: Int) -> Int {
    guard let last = rest.popLast() else { return 0 }
    return Int(last) % bound
  }

  /// The bytes up to the next `separator`, which goes too; nil where nothing is left.
  public mutating func piece(upTo separator: UInt8) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: separator) ?? rest.endIndex
    let piece = Array(rest[..<end])
    rest = rest[min(end + 1, rest.endIndex)...]
    return piece
  }
}
