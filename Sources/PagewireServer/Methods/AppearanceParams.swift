import JSONText

/// The params of `itemAppeared`, found in one pass, because it is the most frequent call of all.
struct AppearanceParams {
  var session = JSONSlice.none
  var id = JSONSlice.none
  var position = JSONSlice.none
  var generation = JSONSlice.none

  /// Notes where each known member is; of duplicates the last, and null counts as absent.
  init(_ bytes: Span<UInt8>, _ members: [JSONMember]) {
    for member in members {
      switch Self.name(bytes, member) {
      case .session: session = Self.present(bytes, member.value)
      case .id: id = Self.present(bytes, member.value)
      case .position: position = Self.present(bytes, member.value)
      case .generation: generation = Self.present(bytes, member.value)
      case nil: break
      }
    }
  }

  private enum Name: CaseIterable {
    case session, id, position, generation

    var text: StaticString {
      switch self {
      case .session: "session"
      case .id: "id"
      case .position: "position"
      case .generation: "generation"
      }
    }
  }

  /// Which name a member has.
  ///
  /// A name is followed by a quote and more, so the eight bytes compared are always there.
  @inline(__always)
  private static func name(_ bytes: Span<UInt8>, _ member: JSONMember) -> Name? {
    if member.keyHasEscape { return escapedName(bytes, member) }
    let start = member.key.start
    switch member.key.count {
    case 2: return bytes[start] == UInt8(ascii: "i") && bytes[start &+ 1] == UInt8(ascii: "d") ? .id : nil
    case 7: return bytes.word64(at: start) == 0x226E_6F69_7373_6573 ? .session : nil  // session"
    case 8: return bytes.word64(at: start) == 0x6E6F_6974_6973_6F70 ? .position : nil  // position
    case 10: return JSONReader.contentEquals(bytes, member.key, Name.generation.text) ? .generation : nil
    default: return nil
    }
  }

  @inline(never)
  private static func escapedName(_ bytes: Span<UInt8>, _ member: JSONMember) -> Name? {
    Name.allCases.first { JSONReader.contentEquals(bytes, member.key, $0.text) }
  }

  @inline(__always)
  private static func present(_ bytes: Span<UInt8>, _ value: JSONSlice) -> JSONSlice {
    JSONReader.isNull(bytes, value) ? .none : value
  }
}
