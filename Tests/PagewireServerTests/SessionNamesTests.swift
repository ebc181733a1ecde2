import TestSupport
import Testing

@testable import PagewireServer

/// Names of sessions: each leads to its slot and to no other, whatever was opened and closed before.
@Suite struct SessionNamesTests {
  private func slot(_ names: SessionNames, _ name: [UInt8], at offset: Int = 0) -> Int? {
    let buffer = [UInt8](repeating: 0x61, count: offset) + name
    return names.slot(buffer.span.extracting(offset..<buffer.count))
  }

  @Test func anEmptyTableHoldsNothing() {
    let names = SessionNames(key: (1, 2))
    #expect(slot(names, []) == nil)
    #expect(slot(names, Array("a".utf8)) == nil)
  }

  @Test func namesOfAnyLengthThatDifferInOneByteAreDifferent() {
    var names = SessionNames(key: (1, 2))
    for count in 0...70 { names.insert([UInt8](repeating: 0x61, count: count).span, slot: count) }
    for count in 0...70 {
      let name = [UInt8](repeating: 0x61, count: count)
      #expect(slot(names, name, at: count % 5) == count)
      for index in name.indices {
        var other = name
        other[index] = 0x62
        #expect(slot(names, other) == nil, "\(count) bytes, byte \(index)")
      }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func openingAndClosingAtRandom(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // A key of zeros is the worst there is.
    var names = SessionNames(key: seed == 0 ? (0, 0) : (random.next(), random.next()))
    var model: [[UInt8]: Int] = [:]
    for step in 0..<6_000 {
      let number = random.below(step < 3_000 ? 800 : 60)
      let name = Array("session \(number) ".utf8) + [UInt8](repeating: 0x78, count: number % 50)
      #expect(slot(names, name, at: number % 3) == model[name])
      if model[name] == nil {
        names.insert(name.span, slot: step)
        model[name] = step
      } else if random.chance(oneIn: 2) {
        names.remove(name.span)
        model[name] = nil
      }
    }
    for (name, number) in model { #expect(slot(names, name) == number) }
    for name in model.keys { names.remove(name.span) }
    for name in model.keys { #expect(slot(names, name) == nil) }
  }
}
