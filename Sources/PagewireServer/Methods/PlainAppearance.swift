import JSONText

/// The one form of message that nearly every message has: an `itemAppeared` with plain members in any order, each at most
/// once, and nothing else.
///
/// Plain is JSON as programs write it: no white space, no escapes, only ASCII in strings, integers of at most 15 digits.
/// Everything else, and whatever is wrong or missing, is left to `MessageParser`, which reads the same out of what is read
/// here.
struct PlainAppearance {
  /// The request's id; empty in a notification.
  private(set) var requestID = JSONSlice.none
  /// The content of the session's name, at least one byte.
  private(set) var session = JSONSlice.none
  /// The item's id; empty where its position is given.
  private(set) var item = JSONSlice.none
  /// The item's position; nil where its id is given.
  private(set) var position: Int?
  /// The list that the front end means.
  private(set) var generation: Int?

  /// Reads the body of a frame; nil where it has another form.
  ///
  /// Names are compared eight bytes at a time, first byte lowest. Steps may look beyond the body, at what follows it in the
  /// buffer, but only forward: a body in which one of them took part of that for its own does not end where the last step
  /// does.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, _ frame: JSONSlice) {
    let last = min(frame.end, bytes.count &- JSONScanner.plainLookAhead)
    var i = frame.start
    guard i <= last, bytes[i] == UInt8(ascii: "{") else { return nil }
    var found = Found()
    var isInParams = false
    while true {
      // Past the brace or the comma, at a name.
      i &+= 1
      guard i <= last else { return nil }
      let words = bytes.words(at: i)
      switch (words[0], isInParams) {
      case (0x6370_726E_6F73_6A22, false):  // "jsonrpc
        guard found.insert(.version).inserted, words[1] & Self.seven == 0x0022_302E_3222_3A22  // ":"2.0"
        else { return nil }
        i &+= 15
      case (0x2264_6F68_7465_6D22, false):  // "method"
        guard found.insert(.method).inserted, words[1] == 0x7041_6D65_7469_223A,  // :"itemAp
          words[2] & Self.seven == 0x0022_6465_7261_6570  // peared"
        else { return nil }
        i &+= 23
      case (0x2273_6D61_7261_7022, false):  // "params"
        guard found.insert(.params).inserted, words[1] & 0xFFFF == 0x7B3A else { return nil }  // :{
        isInParams = true
        i &+= 9
        continue
      case (0x6E6F_6973_7365_7322, true):  // "session
        guard session.isEmpty, words[1] & 0xFF_FFFF == 0x22_3A22,  // ":"
          let end = JSONScanner.plainStringEnd(bytes, from: i &+ 11, last: last)
        else { return nil }
        session = JSONSlice(start: i &+ 11, end: end)
        i = end &+ 1
      case (0x6F69_7469_736F_7022, true):  // "positio
        guard position == nil, words[1] & 0xFF_FFFF == 0x3A_226E,  // n":
          let integer = JSONScanner.plainInteger(bytes, from: i &+ 11, last: last)
        else { return nil }
        position = integer.value
        i = integer.end
      case (0x7461_7265_6E65_6722, true):  // "generat
        guard generation == nil, words[1] & Self.five == 0x3A_226E_6F69,  // ion":
          let integer = JSONScanner.plainInteger(bytes, from: i &+ 13, last: last)
        else { return nil }
        generation = integer.value
        i = integer.end
      default:
        guard words[0] & Self.five == 0x3A_2264_6922,  // "id":
          isInParams ? item.isEmpty : requestID.isEmpty,
          let end = Self.valueEnd(bytes, at: i &+ 5, last)
        else { return nil }
        let value = JSONSlice(start: i &+ 5, end: end)
        if isInParams { item = value } else { requestID = value }
        i = end
      }
      if isInParams, bytes[i] == UInt8(ascii: "}") {
        isInParams = false
        i &+= 1
      }
      if bytes[i] != UInt8(ascii: ",") { break }
    }
    guard bytes[i] == UInt8(ascii: "}"), !isInParams, i &+ 1 == frame.end, found == [.version, .method, .params],
      !session.isEmpty, item.isEmpty != (position == nil)
    else { return nil }
  }

  /// The members that every such message has.
  private struct Found: OptionSet {
    var rawValue = 0
    static let version = Found(rawValue: 1)
    static let method = Found(rawValue: 2)
    static let params = Found(rawValue: 4)
  }

  private static let five: UInt64 = 0xFF_FFFF_FFFF
  private static let seven: UInt64 = 0xFF_FFFF_FFFF_FFFF

  /// The offset after a plain string or integer.
  @inline(__always)
  private static func valueEnd(_ bytes: Span<UInt8>, at start: Int, _ last: Int) -> Int? {
    if bytes[start] == UInt8(ascii: "\"") {
      return JSONScanner.plainStringEnd(bytes, from: start &+ 1, last: last).map { $0 &+ 1 }
    }
    return JSONScanner.plainInteger(bytes, from: start, last: last)?.end
  }
}
