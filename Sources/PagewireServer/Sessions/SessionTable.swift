import JSONText
import PaginationCore

/// The open sessions, by slot and by name.
struct SessionTable {
  /// A slot holds one session, or none while it is free.
  ///
  /// An array of at most one, unlike an optional, lets a session be changed where it lies without a forced unwrap.
  private var slots: [[HostedSession]] = []
  private var free: [Int] = []
  private var names: SessionNames
  private var lastSerial = 0
  /// How many are open.
  private(set) var count = 0

  /// Makes an empty table; the key keeps names from being made up that collide, and is random.
  init(key: (UInt64, UInt64)) {
    names = SessionNames(key: key)
  }

  /// The session in a slot that is known to be open.
  subscript(slot: Int) -> HostedSession {
    @inline(__always) get { slots[slot][0] }
    @inline(__always) _modify { yield &slots[slot][0] }
  }

  /// How many slots there are, open ones and free ones.
  var slotCount: Int { slots.count }

  /// Whether the slot holds a session.
  func isOpen(_ slot: Int) -> Bool { !slots[slot].isEmpty }

  /// The slots of the open sessions, in the order of opening as far as slots are not used again.
  var openSlots: [Int] { slots.indices.filter { !slots[$0].isEmpty } }

  /// The slot of the session whose name is a JSON string.
  func slot(_ bytes: Span<UInt8>, named name: JSONSlice) -> Int? {
    var scratch: [UInt8] = []
    let slot = CanonicalID.read(bytes, name, scratch: &scratch) { _, content in
      names.slot(content)
    }
    return slot ?? nil
  }

  /// The slot of the session whose name is the content of a string without escapes.
  @inline(__always)
  func slot(_ bytes: Span<UInt8>, plainName name: JSONSlice) -> Int? { names.slot(bytes.extracting(name.range)) }

  /// The slot, if that very session is still open.
  func slot(of number: SessionNumber) -> Int? {
    guard number.slot < slots.count, slots[number.slot].first?.number == number else { return nil }
    return number.slot
  }

  /// The number that the next session gets.
  mutating func nextNumber() -> SessionNumber {
    lastSerial += 1
    return SessionNumber(slot: free.popLast() ?? slots.count, serial: lastSerial)
  }

  mutating func insert(_ session: HostedSession) {
    let slot = session.number.slot
    if slot == slots.count { slots.append([session]) } else { slots[slot] = [session] }
    names.insert(session.decodedName.span, slot: slot)
    count += 1
  }

  mutating func remove(_ slot: Int) {
    names.remove(slots[slot][0].decodedName.span)
    slots[slot] = []
    free.append(slot)
    count -= 1
  }
}
