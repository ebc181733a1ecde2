/// What a key asks for.
enum Key: Equatable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end
  case refresh, retry, quit, suspend, redraw
}

/// Turns what a terminal sends into keys, whatever way the bytes are cut.
struct KeyDecoder {
  private enum State {
    /// Between keys.
    case ground
    /// After an escape; leaves with the next byte, or as nothing when no byte follows.
    case escape
    /// Inside `ESC [`: parameters so far; leaves at a final byte.
    case sequence([UInt8])
    /// After `ESC O`: one more byte follows.
    case shifted
  }

  private var state = State.ground
  /// Longer sequences are no keys; the rest of them is still swallowed.
  private static let maxParameterBytes = 16

  /// Whether a sequence is open, so that a pause would mean the Escape key alone.
  var isPending: Bool {
    if case .ground = state { return false }
    return true
  }

  /// The pause came: what is open was no sequence.
  mutating func pause() {
    state = .ground
  }

  /// Takes one byte; gives a key where one is complete.
  mutating func decode(_ byte: UInt8) -> Key? {
    switch state {
    case .ground:
      if byte == 0x1B {
        state = .escape
        return nil
      }
      return Self.plainKey(byte)
    case .escape:
      switch byte {
      case 0x5B: state = .sequence([])
      case 0x4F: state = .shifted
      case 0x1B: state = .escape
      default: state = .ground
      }
      return nil
    case .shifted:
      state = .ground
      return Self.arrowKey(byte)
    case .sequence(let parameters):
      if (0x40...0x7E).contains(byte) {
        state = .ground
        return byte == 0x7E ? Self.numberedKey(parameters) : Self.arrowKey(byte)
      }
      if byte == 0x1B {
        state = .escape
      } else if parameters.count < Self.maxParameterBytes {
        state = .sequence(parameters + [byte])
      }
      return nil
    }
  }

  private static func plainKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03: .quit
    case UInt8(ascii: "j"), 0x0E: .down
    case UInt8(ascii: "k"), 0x10: .up
    case UInt8(ascii: " "), 0x06: .pageDown
    case UInt8(ascii: "b"), 0x02: .pageUp
    case UInt8(ascii: "g"): .home
    case UInt8(ascii: "G"): .end
    case UInt8(ascii: "r"), UInt8(ascii: "R"): .refresh
    case UInt8(ascii: "l"), 0x0D, 0x0A: .retry
    case 0x0C: .redraw
    case 0x1A: .suspend
    default: nil
    }
  }

  private static func arrowKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .retry  // Enter of a number pad.
    default: nil
    }
  }

  private static func numberedKey(_ parameters: [UInt8]) -> Key? {
    // `5;2~` is Page Up with Shift; modifiers change nothing here.
    switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
