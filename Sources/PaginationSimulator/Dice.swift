/// Numbers that look drawn and are the same in every run (SplitMix64).
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0xd134_2543_de82_ef95 &+ 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Dice.mix(state)
  }

  /// A number from 0 up to, not including, `bound`.
  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }

  mutating func chance(percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// A number that depends on nothing but the given ones.
  static func hash(_ first: UInt64, _ second: Int, _ third: Int = 0) -> UInt64 {
    mix(mix(first &+ 0x9e37_79b9_7f4a_7c15 &* UInt64(truncatingIfNeeded: second)) &+ UInt64(truncatingIfNeeded: third))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
