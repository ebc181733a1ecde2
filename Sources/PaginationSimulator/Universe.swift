import PaginationCore

/// One item of a source: its family (the query that it belongs to) and its place in that family's order.
struct Item: Hashable {
  let family: Int
  let key: Int
}

/// All items there are, with their ids.
enum Universe {
  static let families = 4
  static let lowest = -200
  static let highest = 3_000
  static let fingerprintKey = FingerprintKey(0x1234_5678, 0x9abc_def0)

  private static let found: [Fingerprint] = prints { item in
    let text = Array("\(item.family):\(item.key)".utf8)
    return Fingerprint.of(text.span, from: 0, to: text.count, isItemID: true, key: fingerprintKey)
  }
  private static let keys: [Fingerprint] = prints { item in
    Fingerprint.of(sourceKey: item.family * 10_000 + item.key, key: fingerprintKey)
  }

  private static func prints(_ make: (Item) -> Fingerprint) -> [Fingerprint] {
    (0..<families).flatMap { family in (lowest..<highest).map { make(Item(family: family, key: $0)) } }
  }

  private static func index(_ item: Item) -> Int {
    (item.family % families) * (highest - lowest) + item.key - lowest
  }

  /// The id that is found in an item.
  static func id(of item: Item) -> Fingerprint { found[index(item)] }

  /// The key by which a source knows an item.
  static func sourceKey(of item: Item) -> Fingerprint { keys[index(item)] }

  /// An id that no item has.
  static let unknown: Fingerprint = {
    let text = Array("unknown".utf8)
    return Fingerprint.of(text.span, from: 0, to: text.count, isItemID: true, key: fingerprintKey)
  }()
}
