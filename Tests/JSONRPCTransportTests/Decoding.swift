import JSONRPCTransport
import JSONText
import TestSupport
import Testing

/// What a decoder found, with the bodies as text.
enum Found: Equatable, Sendable {
  case body(String)
  case malformed(FrameError)
}

/// Feeds `chunks` to a decoder and collects what it finds.
func decode(_ chunks: [[UInt8]], limits: FrameLimits = FrameLimits()) -> [Found] {
  var decoder = FrameDecoder(limits: limits)
  var found: [Found] = []
  for chunk in chunks {
    decoder.append(chunk.span)
    drain(&decoder, into: &found)
  }
  return found
}

func drain(_ decoder: inout FrameDecoder, into found: inout [Found]) {
  while true {
    switch decoder.next() {
    case .frame(let slice): found.append(.body(JSONReader.text(decoder.buffer.span, slice)))
    case .malformed(let error): found.append(.malformed(error))
    case .needsInput(let missing):
      #expect(missing >= 1)
      return
    }
  }
}

/// Feeds `text` in every way and checks that each finds the same: `expected`.
func expectDecoded(
  _ text: String, _ expected: [Found], limits: FrameLimits = FrameLimits(), endsAtBoundary: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let input = Array(text.utf8)
  #expect(decode([input], limits: limits) == expected, sourceLocation: sourceLocation)
  let tail = endsAtBoundary ? Array("Content-Length: 5\r\n\r\n12".utf8) : nil
  for mismatch in Feeding.everyWay(input, tail: tail, decode: { decode($0, limits: limits) }) {
    Issue.record("\(mismatch)", sourceLocation: sourceLocation)
  }
}

/// How the input ends for a decoder that was fed `text`.
func endOfInput(_ text: String, limits: FrameLimits = FrameLimits()) -> EndOfInput {
  var decoder = FrameDecoder(limits: limits)
  decoder.append(Array(text.utf8).span)
  var found: [Found] = []
  drain(&decoder, into: &found)
  return decoder.endOfInput()
}
