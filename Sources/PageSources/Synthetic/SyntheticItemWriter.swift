import JSONText

/// Writes the items of a synthetic list.
struct SyntheticItemWriter {
  private let itemBytes: Int
  /// Enough filling for any item, made once: an item takes the start of it.
  private let filler: [UInt8]

  init(itemBytes: Int) {
    self.itemBytes = itemBytes
    filler = [UInt8](repeating: UInt8(ascii: "x"), count: itemBytes)
  }

  /// How many items fit into one page for certain.
  var itemsOfOnePage: Int {
    // The longest item without filling: two numbers of seventeen digits each.
    let longest = max(itemBytes, 80) + Self.filling.utf8CodeUnitCount + 2
    return max(1, PageBuilder.maximumPageBytes / (longest + 1))
  }

  /// Appends item `id`; returns false where it does not fit any more.
  ///
  /// Filling takes a member of its own, so an item that is short of `itemBytes` by less than that member's frame gets longer.
  func append(_ id: Int, to builder: inout PageBuilder, idPath: JSONPointer) -> Bool {
    let start = builder.openItem()
    builder.bytes.append(text: "{\"id\": ")
    let idStart = builder.bytes.count
    DecimalDigits.append(id, to: &builder.bytes)
    let slice = JSONSlice(start: idStart, end: builder.bytes.count)
    builder.bytes.append(text: ", \"title\": \"Item ")
    DecimalDigits.append(id, to: &builder.bytes)
    builder.bytes.append(UInt8(ascii: "\""))
    let missing = itemBytes - (builder.bytes.count - start) - 1
    if missing > 0 {
      builder.bytes.append(text: Self.filling)
      let count = max(0, missing - Self.filling.utf8CodeUnitCount - 1)
      builder.bytes.append(contentsOf: filler[..<count])
      builder.bytes.append(UInt8(ascii: "\""))
    }
    builder.bytes.append(UInt8(ascii: "}"))
    return idPath.isSingleName("id") ? builder.closeItem(from: start, id: slice) : builder.closeItem(from: start)
  }

  private static let filling: StaticString = ", \"filling\": \""
}
