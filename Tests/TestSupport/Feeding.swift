/// Ways to hand the same bytes to an incremental decoder, which must make no difference to what it finds.
public enum Feeding {
  /// One way that made a difference.
  public struct Mismatch<Output: Sendable>: Sendable {
    /// How the bytes were handed over.
    public let way: String
    /// What came out.
    public let output: [Output]
    /// What came out when they were handed over whole.
    public let expected: [Output]
  }

  /// Feeds `input` whole, byte by byte, cut in two at every byte, and in small and random chunks.
  ///
  /// Where `tail` is not nil the input ends at a boundary: it is then also fed twice over, which must give everything
  /// twice, and followed by `tail`, the start of something more, which must give nothing more.
  public static func everyWay<Output: Equatable>(
    _ input: [UInt8], tail: [UInt8]? = nil, decode: (_ chunks: [[UInt8]]) -> [Output]
  ) -> [Mismatch<Output>] {
    let expected = decode([input])
    var mismatches: [Mismatch<Output>] = []
    func check(_ way: String, _ chunks: [[UInt8]], _ wanted: [Output]) {
      let output = decode(chunks)
      if output != wanted { mismatches.append(Mismatch(way: way, output: output, expected: wanted)) }
    }
    for (way, chunks) in cuttings(of: input) { check(way, chunks, expected) }
    if let tail {
      let joined = input + input
      check("joined", [joined], expected + expected)
      check("joined, byte by byte", joined.map { [$0] }, expected + expected)
      check("with a tail", [input + tail], expected)
      check("with a tail, byte by byte", (input + tail).map { [$0] }, expected)
      for cut in tail.indices { check("with a tail of \(cut) bytes", [input + tail[..<cut]], expected) }
    }
    return mismatches
  }

  /// The ways to cut `input` into chunks, each with a name.
  private static func cuttings(of input: [UInt8]) -> [(way: String, chunks: [[UInt8]])] {
    var ways: [(String, [[UInt8]])] = [("byte by byte", input.map { [$0] })]
    for cut in input.indices { ways.append(("cut at \(cut)", [Array(input[..<cut]), Array(input[cut...])])) }
    for size in [2, 3, 7, 16, 17, 64] { ways.append(("in chunks of \(size)", chunks(of: input) { size })) }
    for seed in 0..<8 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      ways.append(("in random chunks, seed \(seed)", chunks(of: input) { 1 + random.below(40) }))
    }
    return ways
  }

  /// Cuts `input` into chunks of the sizes that `size` names.
  public static func chunks(of input: [UInt8], size: () -> Int) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var start = 0
    while start < input.count {
      let end = min(input.count, start + max(1, size()))
      chunks.append(Array(input[start..<end]))
      start = end
    }
    return chunks
  }
}
