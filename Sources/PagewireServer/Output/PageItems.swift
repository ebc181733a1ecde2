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
    var dropped = Dropped(dropping)
    for index in items.indices where !dropped.next(is: index) {
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
    var dropped = Dropped(dropping)
    var isFirst = text.isEmpty
    if asText {
      for index in items.indices where !dropped.next(is: index) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        appendIDText(bytes, index, to: &text)
      }
      return
    }
    if items.isEmpty { return }
    // Room is made once for all: for a single id that takes longer than to write it.
    let room = items.indices.reduce(0) { $0 &+ roomForID($1) }
    text.append(addingCapacity: room) { output in
      for index in items.indices where !dropped.next(is: index) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        appendID(bytes, index, to: &output)
      }
    }
  }

  private func appendIDText(_ bytes: Span<UInt8>, _ index: Int, to text: inout [UInt8]) {
    var id: [UInt8] = []
    id.append(addingCapacity: roomForID(index)) { appendID(bytes, index, to: &$0) }
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

  /// Bytes that an item's id takes in an event, at most: a comma, and one of the item's id, a number and the source's own id.
  private func roomForID(_ index: Int) -> Int {
    1 &+ DecimalDigits.maxCount &+ items[index].id.count &+ (index < keys.count ? keys[index].count : 0)
  }

  /// Appends what `roomForID` is enough for.
  private func appendID(_ bytes: Span<UInt8>, _ index: Int, to output: inout OutputSpan<UInt8>) {
    let item = items[index]
    if !item.id.isEmpty {
      output.append(bytes.extracting(item.id.range))
    } else if let key = item.key {
      output.append(decimal: key)
    } else if index < keys.count, !keys[index].isEmpty {
      output.append(bytes.extracting(keys[index].range))
    } else {
      output.append("null")
    }
  }

  /// The ids' fingerprints; an id that cannot be one (a fraction, an object) is struck from the item.
  mutating func fingerprints(_ bytes: Span<UInt8>, _ ids: IDFingerprints) -> [Fingerprint] {
    var prints: [Fingerprint] = []
    prints.reserveCapacity(items.count)
    // Mostly there are none, and the items are still the page's as well: to write to them would copy all.
    var struckIDs: [Int] = []
    var struckKeys: [Int] = []
    idBytes = 0
    for index in items.indices {
      let item = items[index]
      idBytes &+= roomForID(index)
      var print = ids.fingerprint(bytes, item.id, isItemID: true)
      if print.isNone {
        if !item.id.isEmpty { struckIDs.append(index) }
        if let key = item.key {
          print = .of(sourceKey: key, key: ids.key)
        } else if index < keys.count, !keys[index].isEmpty {
          print = ids.fingerprint(bytes, keys[index], isItemID: false)
          if print.isNone { struckKeys.append(index) }
        }
      }
      prints.append(print)
    }
    for index in struckIDs { items[index].id = .none }
    for index in struckKeys { keys[index] = .none }
    return prints
  }
}

/// Items of a page that are not shown, in order.
private struct Dropped {
  private let indices: [Int]
  private var passed = 0

  init(_ indices: [Int]) { self.indices = indices }

  /// Whether `index` is the next of them, which is passed then.
  mutating func next(is index: Int) -> Bool {
    guard passed < indices.count, indices[passed] == index else { return false }
    passed &+= 1
    return true
  }
}
