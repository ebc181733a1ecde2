// The frame decoder: how a stream is cut must not matter, limits hold, and whatever came, a good frame behind it is found.
import FuzzSupport
import Glibc
import JSONRPCTransport
import JSONText

let limits = FrameLimits(maxFrameBytes: 96, maxHeaderBytes: 80)

/// What a decoder found: the bodies themselves, since their places depend on the buffer.
enum Found: Equatable {
  case body([UInt8])
  case malformed(FrameError)
}

func drain(_ decoder: inout FrameDecoder, _ found: inout [Found]) {
  while true {
    switch decoder.next() {
    case .frame(let slice):
      Fuzzing.check(slice.fits(in: decoder.buffer.count), "a frame lies in the buffer")
      Fuzzing.check(slice.count <= limits.maxFrameBytes, "a frame keeps to the limit")
      found.append(.body(JSONReader.raw(decoder.buffer.span, slice)))
    case .malformed(let error): found.append(.malformed(error))
    case .needsInput(let missing):
      Fuzzing.check(missing >= 1 && missing <= limits.maxFrameBytes, "what is missing is something, and not too much")
      return
    }
  }
}

/// What is found in a stream that comes in chunks of the sizes that `size` gives.
func decode(_ stream: [UInt8], _ size: () -> Int) -> ([Found], EndOfInput) {
  var decoder = FrameDecoder(limits: limits)
  var found: [Found] = []
  var start = 0
  while start < stream.count {
    let end = min(stream.count, start + max(1, size()))
    decoder.append(stream.span.extracting(start..<end))
    drain(&decoder, &found)
    start = end
  }
  Fuzzing.check(
    decoder.bufferedBytes <= limits.maxFrameBytes + limits.maxHeaderBytes + 512, "no more is kept than is needed")
  let end = decoder.endOfInput()
  checkRecovery(&decoder)
  return (found, end)
}

let good = Array("Content-Length: 4\r\n\r\ngood".utf8)
// Longer than any body that could be under way, so that it ends there at the latest; each ends whatever line there was.
let gap = [UInt8](repeating: 0x0A, count: 100)

/// After whatever came, and after at most a body's length of blanks, frames are read as before.
func checkRecovery(_ decoder: inout FrameDecoder) {
  var found: [Found] = []
  decoder.append(gap.span)
  drain(&decoder, &found)
  decoder.append(gap.span)
  drain(&decoder, &found)
  found = []
  decoder.append((good + good).span)
  drain(&decoder, &found)
  Fuzzing.check(found == [.body(Array("good".utf8)), .body(Array("good".utf8))], "a good frame is read: \(found)")
}

func checkStream(_ stream: [UInt8]) {
  let (whole, end) = decode(stream) { stream.count }
  var state = UInt64(stream.count) &+ UInt64(stream.first ?? 0) &* 257
  for way in 0..<2 {
    let (found, foundEnd) = decode(stream) {
      if way == 0 { return 1 }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int(state >> 59)
    }
    Fuzzing.check(found == whole && foundEnd == end, "cut otherwise, a stream says something else")
  }
}

exit(
  Fuzzing.run { start, count in
    checkStream(Fuzzing.bytes(start, count))
    return 0
  })
