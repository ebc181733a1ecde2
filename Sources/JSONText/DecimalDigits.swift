/// Writes integers as decimal digits without making a String.
public enum DecimalDigits {
  /// How many digits a number that is not negative has.
  public static func count(_ value: Int) -> Int {
    var count = 1
    var rest = value
    while rest > 9 {
      rest /= 10
      count &+= 1
    }
    return count
  }

  /// Appends the digits of `value`, with a minus where it is negative.
  public static func append(_ value: Int, to bytes: inout [UInt8]) {
    if value >= 0, value < 10 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
      return
    }
    // The twenty digits of the largest magnitude, last digit lowest, packed in nibbles.
    var low: UInt64 = 0
    var high: UInt64 = 0
    var count = 0
    var rest = value.magnitude
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      if count < 16 {
        low |= UInt64(digit) &<< UInt64(4 &* count)
      } else {
        high |= UInt64(digit) &<< UInt64(4 &* (count &- 16))
      }
      count &+= 1
      rest = quotient
    } while rest != 0
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    while count > 0 {
      count &-= 1
      let nibble = count < 16 ? low &>> UInt64(4 &* count) : high &>> UInt64(4 &* (count &- 16))
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: nibble & 15))
    }
  }
}
