import JSONRPCTransport
import JSONText
import TestSupport
import Testing

@Test func framesInThePlainForm() {
  expectDecoded("Content-Length: 2\r\n\r\n{}", [.body("{}")])
  expectDecoded("Content-Length: 0\r\n\r\n", [.body("")])
  expectDecoded("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [.body("{}"), .body("[1]")])
  expectDecoded("Content-Length: 12\r\n\r\n\"naïve 日\"", [.body("\"naïve 日\"")])
  // A body that looks like a header.
  expectDecoded("Content-Length: 21\r\n\r\nContent-Length: 2\r\n\r\n", [.body("Content-Length: 2\r\n\r\n")])
}

@Test func headersInAnyFormThatIsUnderstood() {
  for header in [
    "content-length: 2\r\n\r\n", "CONTENT-LENGTH: 2\r\n\r\n", "cOnTeNt-LeNgTh:2\r\n\r\n", "Content-Length:  2\r\n\r\n",
    "Content-Length:\t2 \t\r\n\r\n", "Content-Length : 2\r\n\r\n", "  Content-Length: 2\r\n\r\n",
    "Content-Length: 2\n\n",
    "Content-Length: 2\r\n\n", "Content-Length: 2\n\r\n", "Content-Length: 2\r\r\n\r\r\n", "Content-Length: 02\r\n\r\n",
    "Content-Length: 000000000000000000000000000002\r\n\r\n", "\r\nContent-Length: 2\r\n\r\n",
    "\n\n\r\n \r\nContent-Length: 2\r\n\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
    "Content-Length: 2\r\ncontent-length:2\r\n\r\n", "Content-Length: 2\r\n \r\n",
  ] { expectDecoded(header + "{}", [.body("{}")]) }
}

@Test func otherHeadersInAnyOrder() {
  for header in [
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
    "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
    "Content-Length: 2\r\nContent-Type: application/vim-jsonrpc; charset=utf-8\r\n\r\n",
    "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n", "Content-Length: 2\r\nContent-Type:\r\n\r\n",
    "Content-Length: 2\r\ncontent-type: text/plain;CHARSET=\"UTF-8\"; q=1\r\n\r\n",
    "Content-Length: 2\r\nContent-Type: a/b; x=\"; charset=latin1\"\r\n\r\n",
    "Content-Length: 2\r\nContent-Type: a/b; xcharset=latin1; charset = utf-8 \r\n\r\n",
    "X-Trace: a:b:c\r\nContent-Length: 2\r\nX-Empty:\r\n\r\n", "X-é: 日本語\r\nContent-Length: 2\r\n\r\n",
  ] where !header.contains("X-é") { expectDecoded(header + "{}", [.body("{}")]) }
  expectDecoded("X-Name: 日本語\r\nContent-Length: 2\r\n\r\n{}", [.body("{}")])
}

@Test func aBodyInAnotherCharsetIsSkippedByCount() {
  for charset in ["utf-16", "iso-8859-1", "\"latin1\"", "utf-8x", "us-ascii", ""] {
    let header = "Content-Length: 25\r\nContent-Type: a/b; charset=\(charset)\r\n\r\n"
    // The skipped body must not be mistaken for a header.
    expectDecoded(
      header + "\r\nContent-Length: 1\r\n\r\n56" + "Content-Length: 2\r\n\r\n{}",
      [.malformed(.unsupportedCharset), .body("{}")])
  }
  // One of two is enough.
  expectDecoded(
    "Content-Type: a;charset=utf-16\r\nContent-Type: a\r\nContent-Length: 1\r\n\r\nxContent-Length: 2\r\n\r\n{}",
    [.malformed(.unsupportedCharset), .body("{}")])
}

@Test func aBlockWithoutAUsableLengthIsReportedOnce() {
  let limits = FrameLimits(maxFrameBytes: 1000, maxHeaderBytes: 200)
  let good = "Content-Length: 2\r\n\r\n{}"
  let cases: [(String, FrameError)] = [
    ("Content-Type: x\r\n\r\n", .missingLength), ("X: y\r\n\r\n{\"a\":1}\n", .missingLength),
    ("Content-Length: -5\r\n\r\n", .invalidLength), ("Content-Length: +5\r\n\r\n", .invalidLength),
    ("Content-Length: abc\r\n\r\n", .invalidLength), ("Content-Length:\r\n\r\n", .invalidLength),
    ("Content-Length: 5x\r\n\r\n", .invalidLength), ("Content-Length: 0x10\r\n\r\n", .invalidLength),
    ("Content-Length: 1 2\r\n\r\n", .invalidLength), ("Content-Length: 1.0\r\n\r\n", .invalidLength),
    ("Content-Length: 1,2\r\n\r\n", .invalidLength), ("Content-Length: ١\r\n\r\n", .invalidLength),
    ("Content-Length: 1001\r\n\r\n", .frameTooLong(limit: 1000)),
    ("Content-Length: 9223372036854775807\r\n\r\n", .frameTooLong(limit: 1000)),
    ("Content-Length: 9223372036854775808\r\n\r\n", .frameTooLong(limit: 1000)),
    ("Content-Length: \(String(repeating: "9", count: 120))\r\n\r\n", .frameTooLong(limit: 1000)),
    ("Content-Length: 5\r\nContent-Length: 6\r\n\r\n", .conflictingLengths), ("junk\r\n", .notAHeader),
    ("{\"jsonrpc\":\"2.0\"}\n{\"jsonrpc\":\"2.0\"}\n", .notAHeader), (": 5\r\n\r\n", .notAHeader),
    ("Content Length: 5\r\n\r\n", .notAHeader), ("Content-Length 5\r\n\r\n", .notAHeader),
    ("X: \(String(repeating: "x", count: 300))\r\n\r\n", .headerTooLong(limit: 200)),
    (String(repeating: "x", count: 300) + "\r\n\r\n", .headerTooLong(limit: 200)),
    (String(repeating: "X: 1\r\n", count: 50) + "\r\n", .headerTooLong(limit: 200)),
    (String(repeating: " ", count: 300) + "\r\n\r\n", .headerTooLong(limit: 200)), ("\u{0}\u{1}\r\n", .notAHeader),
  ]
  for (bad, error) in cases {
    expectDecoded(bad + good, [.malformed(error), .body("{}")], limits: limits)
    // With the body that the block was meant for, and no line end after it: the next header is glued to it.
    expectDecoded(bad + "{\"a\":\"b\"}" + good + good, [.malformed(error), .body("{}"), .body("{}")], limits: limits)
    // A pretty-printed body.
    expectDecoded(bad + "{\n  \"a\": 1\n}\n" + good, [.malformed(error), .body("{}")], limits: limits)
    // Nothing good ever comes: still one report. (Of two lengths that differ, each is good.)
    if error == .conflictingLengths { continue }
    expectDecoded(bad + bad + bad, [.malformed(error)], limits: limits, endsAtBoundary: false)
  }
}

@Test func aWrongLengthCostsOneReportAndTheDecoderFindsItsWayBack() {
  let good = "Content-Length: 9\r\n\r\n{\"a\":\"b\"}"
  // Declared too short: the rest of the body is junk, and the good header behind it is seen.
  expectDecoded(
    "Content-Length: 6\r\n\r\n{\"a\":\"b\"}" + good,
    [.body("{\"a\":\""), .malformed(.notAHeader), .body("{\"a\":\"b\"}")])
  // Declared too long: the start of the next header is eaten, that frame is lost, the one after it is not.
  expectDecoded(
    "Content-Length: 11\r\n\r\n{\"a\":\"b\"}" + good + good,
    [.body("{\"a\":\"b\"}Co"), .malformed(.missingLength), .body("{\"a\":\"b\"}")])
}

@Test func resynchronisingNeedsAWholeValidLine() {
  let good = "Content-Length: 2\r\n\r\n{}"
  for decoy in [
    "Content-Length: 5x\r\n", "\"Content-Length: 5\"\r\n", "Content-Length:\r\n", "Content-Length 5\r\n",
    "Length: 5\r\n",
    "Content-Length: 99999999999999999999\r\n", "Content-Length: -5\r\n", ": 5\r\n", "5\r\n", "Content-Length: 5,\r\n",
    "Content_Length: 5\r\n",
  ] { expectDecoded("junk\r\n" + decoy + good, [.malformed(.notAHeader), .body("{}")]) }
  // Any form of the header will do, and more headers may follow it.
  expectDecoded("junk\nxxcontent-length :\t2 \nX: y\n\n{}", [.malformed(.notAHeader), .body("{}")])
  // What follows is a header block like any other.
  expectDecoded(
    "junk\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n" + good,
    [.malformed(.notAHeader), .malformed(.conflictingLengths), .body("{}")])
}

@Test func aLongLineIsSkippedWithoutBeingKept() {
  var decoder = FrameDecoder()
  decoder.append(Array("junk\r\n".utf8).span)
  let first = decoder.next()
  #expect(first == .malformed(.notAHeader))
  let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
  for _ in 0..<8 {
    decoder.append(megabyte.span)
    let event = decoder.next()
    #expect(event == .needsInput(missing: 1))
    #expect(decoder.bufferedBytes <= 256)
  }
  decoder.append(Array("Content-Length: 2\r\n\r\n{}".utf8).span)
  var found: [Found] = []
  drain(&decoder, into: &found)
  #expect(found == [.body("{}")])
  #expect(decoder.buffer.count <= 2 << 20)
}

@Test func limitsAreExact() {
  let limits = FrameLimits(maxFrameBytes: 10, maxHeaderBytes: 21)
  expectDecoded("Content-Length: 9\r\n\r\n123456789", [.body("123456789")], limits: limits)
  expectDecoded(
    "Content-Length: 11\r\n\r\n12345678901", [.malformed(.frameTooLong(limit: 10))], limits: limits,
    endsAtBoundary: false)
  expectDecoded("Content-Length: 10\n\n1234567890", [.body("1234567890")], limits: limits)
  // One byte of header more.
  expectDecoded(
    "Content-Length: 10\r\n\r\n1234567890", [.malformed(.headerTooLong(limit: 21))], limits: limits,
    endsAtBoundary: false)
}

@Test func theEndOfInputIsCleanOnlyBetweenMessages() {
  for text in ["", "\r\n", "\n\n", " ", "\r", "Content-Length: 2\r\n\r\n{}", "Content-Length: 2\r\n\r\n{}\r\n"] {
    #expect(endOfInput(text) == .clean, "\(text)")
  }
  let frame = "Content-Length: 2\r\n\r\n{}"
  for length in 1..<frame.utf8.count {
    #expect(endOfInput(String(decoding: frame.utf8.prefix(length), as: UTF8.self)) == .truncated)
  }
  for text in [
    "C", "junk", "X: y\r\n", "Content-Length: 2\r\n\r\n{", "Content-Length: 5\r\nContent-Type: a;charset=x\r\n\r\nabcd",
  ] { #expect(endOfInput(text) == .truncated, "\(text)") }
  // What was reported as malformed already is not reported again.
  for text in ["junk\n", "junk\nmore", "Content-Length: x\r\n\r\n{\"a"] {
    #expect(endOfInput(text) == .clean, "\(text)")
  }
}

@Test func aDeclaredLengthIsNeverAllocated() {
  var decoder = FrameDecoder()
  let before = decoder.buffer.count
  decoder.append(Array("Content-Length: 60000000\r\n\r\nx".utf8).span)
  let event = decoder.next()
  #expect(event == .needsInput(missing: 59_999_999))
  var room = 0
  let result = decoder.read(atLeast: 59_999_999) { buffer in
    room = buffer.count
    return 0
  }
  #expect(result == 0)
  #expect(room >= 1)
  #expect(decoder.buffer.count <= 2 * before + 1)
}

@Test func theMemoryOfAHugeFrameIsGivenBack() {
  var decoder = FrameDecoder()
  let body = [UInt8](repeating: UInt8(ascii: " "), count: 8 << 20)
  var writer = FrameWriter()
  writer.frame(body.span)
  writer.frame(Array("{}".utf8).span)
  writer.frame(Array("[]".utf8).span)
  let stream = writer.take()
  // All but the last byte, so that the decoder is never empty.
  decoder.append(stream.span.extracting(0..<stream.count - 1))
  guard case .frame(let slice) = decoder.next() else {
    Issue.record("no frame")
    return
  }
  #expect(slice.count == body.count)
  #expect(decoder.buffer.count > body.count)
  #expect(decoder.buffer.count < 3 * body.count)
  var found: [Found] = []
  drain(&decoder, into: &found)
  decoder.append([UInt8(ascii: "]")].span)
  drain(&decoder, into: &found)
  #expect(found == [.body("{}"), .body("[]")])
  #expect(decoder.buffer.count == 64 << 10)
}

@Test func aBufferThatWasFullBecomesTheUsualOne() {
  var decoder = FrameDecoder()
  let first = decoder.buffer.count
  var room: [Int] = []
  for _ in 0..<3 {
    _ = decoder.read { buffer in
      room.append(buffer.count)
      for index in buffer.indices { buffer[index] = UInt8(ascii: "\n") }
      return buffer.count
    }
    let event = decoder.next()
    #expect(event == .needsInput(missing: 1))
  }
  #expect(room == [first, 64 << 10, 64 << 10])
}

@Test func aPeerThatSendsMuchGetsALargerBuffer() {
  var decoder = FrameDecoder()
  decoder.append(Array("Content-Length: 2\r\n\r\n{".utf8).span)
  #expect(decoder.next() == .needsInput(missing: 1))
  decoder.expectMuch()
  // What is held moves along.
  decoder.append(Array("}".utf8).span)
  #expect(decoder.buffer.count == 256 << 10)
  guard case .frame(let frame) = decoder.next() else {
    Issue.record("the frame is not found")
    return
  }
  #expect(JSONReader.text(decoder.buffer.span, frame) == "{}")
  // And it stays so after a frame that needed even more.
  let long = Array("Content-Length: 3000000\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 3_000_000)
  decoder.append(long.span)
  #expect(decoder.next() == .frame(JSONSlice(start: 27, end: 3_000_027)))
  #expect(decoder.next() == .needsInput(missing: 1))
  decoder.append(Array("\n".utf8).span)
  #expect(decoder.buffer.count == 256 << 10)
}

@Test func readHandsOverWhatItsClosureSays() {
  var decoder = FrameDecoder()
  let failed = decoder.read { _ in -1 }
  #expect(failed == -1)
  let ended = decoder.read { _ in 0 }
  #expect(ended == 0)
  #expect(decoder.endOfInput() == .clean)
  let text = Array("Content-Length: 2\r\n\r\n{}".utf8)
  let count = decoder.read { room in
    room.copyBytes(from: text)
    return text.count
  }
  #expect(count == text.count)
  #expect(decoder.bufferedBytes == text.count)
  var found: [Found] = []
  drain(&decoder, into: &found)
  #expect(found == [.body("{}")])
  #expect(decoder.bufferedBytes == 0)
}

@Test func manyFramesOfAllSizesComeThroughInOrder() {
  var random = SeededRandom(seed: 11)
  var writer = FrameWriter()
  var bodies: [Int] = []
  for _ in 0..<400 {
    let size = [0, 1, 9, 10, 99, 100, 999, 1000, 30_000, 70_000, 200_000][random.below(11)] + random.below(3)
    bodies.append(size)
    writer.frame([UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size).span)
  }
  let stream = writer.take()
  var decoder = FrameDecoder()
  var sizes: [Int] = []
  var offset = 0
  var missing = 1
  while true {
    switch decoder.next() {
    case .frame(let slice):
      sizes.append(slice.count)
      let isWhole = decoder.buffer[slice.range].allSatisfy { $0 == UInt8(truncatingIfNeeded: slice.count) }
      #expect(isWhole)
      continue
    case .needsInput(let bytes): missing = bytes
    case .malformed(let error): Issue.record("\(error)")
    }
    guard offset < stream.count else { break }
    offset += decoder.read(atLeast: missing) { room in
      let count = min(room.count, stream.count - offset, 1 + random.below(100_000))
      stream.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
      return count
    }
  }
  #expect(sizes == bodies)
  #expect(decoder.endOfInput() == .clean)
}

@Test(arguments: 0..<4 as Range<UInt64>)
func damagedStreamsGiveTheSameHoweverTheyAreCut(seed: UInt64) {
  var random = SeededRandom(seed: seed)
  let pieces = [
    "Content-Length: 2\r\n\r\n{}", "Content-Length: 7\r\n\r\n{\"a\":1}", "content-length:3\n\n[1]", "\r\n", "junk\r\n",
    "X: y\r\n",
    "Content-Length: ", "Content-Type: a; charset=utf-16\r\n", "Content-Length: 999\r\n\r\n",
    "Content-Length: -1\r\n\r\n", ": ",
    "Content-Length: 4\r\nContent-Length: 4\r\n\r\nnull", String(repeating: "y", count: 300), "\u{0}",
    "Content-Length: 1\r\n",
  ]
  let limits = FrameLimits(maxFrameBytes: 500, maxHeaderBytes: 120)
  for round in 0..<600 {
    var input: [UInt8] = []
    for _ in 0..<2 + random.below(8) {
      var piece = Array(pieces[random.below(pieces.count)].utf8)
      if random.chance(oneIn: 3), !piece.isEmpty {
        piece[random.below(piece.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(oneIn: 4) { piece.removeLast(random.below(piece.count + 1)) }
      input.append(contentsOf: piece)
    }
    let expected = decode([input], limits: limits)
    #expect(decode(input.map { [$0] }, limits: limits) == expected, "seed \(seed), round \(round): \(input)")
    for _ in 0..<4 {
      let chunks = Feeding.chunks(of: input) { 1 + random.below(60) }
      #expect(decode(chunks, limits: limits) == expected, "seed \(seed), round \(round): \(input)")
    }
    // Whatever came before, blank lines and two good frames are enough to be back.
    let repaired = decode(
      [input + [UInt8](repeating: 0x0A, count: 600)]
        + Array(repeating: Array("Content-Length: 4\r\n\r\n\"ok\"".utf8), count: 2), limits: limits)
    #expect(repaired.last == .body("\"ok\""), "seed \(seed), round \(round): \(input)")
  }
}
