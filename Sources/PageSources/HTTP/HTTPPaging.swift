import JSONText

/// How an API names its pages.
enum HTTPPaging: Sendable, Equatable {
  /// The answers show it.
  case auto
  /// All there is comes in one response.
  case single
  /// Pages are numbered from `first` on.
  case page(param: [UInt8], sizeParam: [UInt8]?, first: Int)
  /// A page begins behind so many items.
  case offset(param: [UInt8], sizeParam: [UInt8]?)
  /// A response holds a token that names the next page, and perhaps one for the page before it; without a place of its own
  /// that one goes where the other does.
  case cursor(
    from: HTTPPlace, to: HTTPTarget, previousFrom: HTTPPlace?, previousTo: HTTPTarget?, sizeTo: HTTPTarget?)
  /// The header `Link` holds the URLs of the pages beside a page.
  case link(relation: String, previousRelation: String, sizeParam: [UInt8]?)
  /// The body or another header holds them.
  case nextURL(from: HTTPPlace, previousFrom: HTTPPlace?, sizeParam: [UInt8]?)
  /// A connection as Relay has it; the names are those of the query's variables.
  case graphQL(connection: JSONPointer, after: String, first: String, before: String?, last: String)

  /// The strategy's word in a source object.
  var word: StaticString {
    switch self {
    case .auto: "auto"
    case .single: "single"
    case .page: "page"
    case .offset: "offset"
    case .cursor: "cursor"
    case .link: "link"
    case .nextURL: "nextUrl"
    case .graphQL: "graphql"
    }
  }

  /// Whether a page's cursor is its URL.
  var namesURLs: Bool {
    switch self {
    case .auto, .link, .nextURL: true
    case .single, .page, .offset, .cursor, .graphQL: false
    }
  }

  /// Every word.
  static let words = ["page", "offset", "cursor", "link", "nextUrl", "graphql", "single"]
}
