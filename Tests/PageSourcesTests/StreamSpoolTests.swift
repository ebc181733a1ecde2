import Testing

@testable import PageSources

@Suite struct StreamSpoolTests {
  private func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

  private func append(_ range: Range<Int>, to spool: inout StreamSpool) {
    bytes(range).withUnsafeBytes { spool.append($0) }
  }

  private func read(_ count: Int, at offset: Int, of spool: StreamSpool) -> (StreamSpool.Kept, [UInt8]) {
    var target = [UInt8](repeating: 0, count: count)
    let kept = target.withUnsafeMutableBytes { spool.read(into: $0, at: offset) }
    if case .bytes(let count) = kept { return (kept, Array(target[..<count])) }
    return (kept, [])
  }

  @Test func everythingKeptReadsAsItCame() {
    var random = SplitMix(seed: 5)
    for _ in 0..<50 {
      let kept = 64 + Int(random.next() % 400)
      let memory = 2 + Int(random.next() % 60)
      var spool = StreamSpool(keptBytes: kept, memoryBytes: memory)
      while spool.end < 3_000 {
        append(spool.end..<(spool.end + Int(random.next() % 150)), to: &spool)
        #expect(spool.start >= 0 && spool.start <= spool.end)
        var offset = spool.start
        while offset < spool.end {
          let (kept, found) = read(17, at: offset, of: spool)
          guard case .bytes(let count) = kept, count > 0 else {
            Issue.record("nothing at \(offset) of \(spool.start)..<\(spool.end)")
            return
          }
          #expect(found == bytes(offset..<(offset + count)))
          offset += count
        }
        #expect(read(1, at: spool.end, of: spool).0 == .notYet)
        if spool.start > 0 { #expect(read(1, at: spool.start - 1, of: spool).0 == .gone) }
      }
      #expect(spool.end - spool.start >= kept - memory)
      #expect(spool.end - spool.start <= kept + memory)
    }
  }

  @Test func aPieceLargerThanAllThatIsKeptLeavesItsEnd() {
    var spool = StreamSpool(keptBytes: 100, memoryBytes: 20)
    append(0..<1_000, to: &spool)
    #expect(spool.start == 1_000 - 10 - 80)
    #expect(read(500, at: 980, of: spool).1 == bytes(980..<990))
    #expect(read(500, at: 990, of: spool).1 == bytes(990..<1_000))
    #expect(read(1, at: spool.start - 1, of: spool).0 == .gone)
  }

  @Test func withoutRoomForAFileMemoryIsKept() {
    var spool = StreamSpool(keptBytes: 0, memoryBytes: 100)
    append(0..<90, to: &spool)
    append(90..<180, to: &spool)
    #expect(spool.start == 130)
    #expect(read(90, at: 130, of: spool).1 == bytes(130..<180))
    #expect(read(1, at: 129, of: spool).0 == .gone)
  }
}
