import JSONText
import PageSources
import PaginationCore

/// A page's items as slices of the buffer that holds their text.
struct PageItems {
  /// Each item's text and, where it has one, its id.
  var items: [SourceItem] = []
  /// The source's own ids as JSON text, parallel to the items; empty where it gave none.
  var keys: [JSONSlice] = []
  /// Bytes that the ids take in an event, at most; known with their fingerprints.
  private(set) var idBytes = 0

  static let none = PageItems()

  /// The text of all items with the commas between, where the buffer holds it in one piece; else empty.
  func wholeText(_ bytes: Span<UInt8>) -> JSONSlice {
    guard let first = items.first, let last = items.last else { return .none }
    var end = first.value.end
    for item in items.dropFirst() {
      if item.value.start != end &+ 1 || bytes[end] != UInt8(ascii: ",") { return .none }
      end = item.value.end
    }
    return JSONSlice(start: first.value.start, end: last.value.end)
  }

  /// Appends the items that are not dropped, with commas between; `asText` puts the text of each into a string.
  func appendItems(_ bytes: Span<UInt8>, dropping: [Int], asText: Bool, to text: inout [UInt8]) {
    var skip = 0
    for index in items.indices {
      if skip < dropping.count, dropping[skip] == index {
        skip &+= 1
        continue
      }
      if !text.isEmpty { text.append(UInt8(ascii: ",")) }
      let item = bytes.extracting(items[index].value.range)
      if asText {
        Self.appendQuoted(item, to: &text)
      } else {
        item.withUnsafeBufferPointer { text.append(contentsOf: $0) }
      }
    }
  }

  /// Appends the ids of the items that are not dropped, with commas between; `asText` puts the text of each into a string.
  func appendIDs(_ bytes: Span<UInt8>, dropping: [Int], asText: Bool, to text: inout [UInt8]) {
    var skip = 0
    var isFirst = text.isEmpty
    for index in items.indices {
      if skip < dropping.count, dropping[skip] == index {
        skip &+= 1
        continue
      }
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      if asText {
        appendIDText(bytes, index, to: &text)
      } else {
        appendID(bytes, index, to: &text)
      }
    }
  }

  private func appendIDText(_ bytes: Span<UInt8>, _ index: Int, to text: inout [UInt8]) {
    var id: [UInt8] = []
    appendID(bytes, index, to: &id)
    // No id is null in either form, so that nobody takes it for an id.
    if id.first == UInt8(ascii: "n") {
      text.append(contentsOf: id)
    } else {
      Self.appendQuoted(id.span, to: &text)
    }
  }

  private static func appendQuoted(_ value: Span<UInt8>, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    JSONStringEncoder.append(value, to: &text)
    text.append(UInt8(ascii: "\""))
  }

  private func appendID(_ bytes: Span<UInt8>, _ index: Int, to text: inout [UInt8]) {
    let item = items[index]
    if !item.id.isEmpty {
      bytes.extracting(item.id.range).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    } else if let key = item.key {
      DecimalDigits.append(key, to: &text)
    } else if index < keys.count, !keys[index].isEmpty {
      bytes.extracting(keys[index].range).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    } else {
      text.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])  // null
    }
  }

  /// The ids' fingerprints; an id that cannot be one (a fraction, an object) is struck from the item.
  mutating func fingerprints(_ bytes: Span<UInt8>, _ ids: IDFingerprints) -> [Fingerprint] {
    var prints: [Fingerprint] = []
    prints.reserveCapacity(items.count)
    idBytes = 0
    for index in items.indices {
      let item = items[index]
      idBytes &+= 21 &+ item.id.count &+ (index < keys.count ? keys[index].count : 0)
      var print = ids.fingerprint(bytes, item.id, isItemID: true)
      if print.isNone {
        if !item.id.isEmpty { items[index].id = .none }
        if let key = item.key {
          print = .of(sourceKey: key, key: ids.key)
        } else if index < keys.count, !keys[index].isEmpty {
          print = ids.fingerprint(bytes, keys[index], isItemID: false)
          if print.isNone { keys[index] = .none }
        }
      }
      prints.append(print)
    }
    return prints
  }
}
