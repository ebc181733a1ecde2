/// Where a followed source goes on once it has grown; it lies outside of the session, as most sources are not followed.
enum Tail: Equatable {
  /// The source is not followed, or has more than was loaded.
  case unknown
  /// The place of the page that will hold what is added.
  indirect case at(PagePlace)

  init(_ place: PagePlace?) {
    self = place.map { .at($0) } ?? .unknown
  }

  /// The place, where it is known.
  var place: PagePlace? {
    if case .at(let place) = self { return place }
    return nil
  }

  mutating func move(by count: Int) {
    guard case .at(var place) = self else { return }
    place.move(by: count)
    self = .at(place)
  }
}
