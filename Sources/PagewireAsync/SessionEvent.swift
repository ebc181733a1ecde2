import PagewireClient

/// An item of a list, as the server passed it on.
public struct PagewireItem: Sendable, Equatable, Identifiable {
  /// Where it stands, for as long as its generation of the list lives.
  public let position: Int
  /// Its id as JSON text; where it has none, its position.
  public let id: String
  /// Its exact JSON text, to be decoded by whoever knows what it is.
  public let json: String

  /// What can be shown of it without knowing more: a string, or an object's `title`, `text` or `name`, else its JSON.
  public var title: String {
    if json.hasPrefix("\"") { return JSONFields("{\"text\":\(json)}")?.string("text") ?? json }
    guard let fields = JSONFields(json) else { return json }
    return fields.string("title") ?? fields.string("text") ?? fields.string("name") ?? json
  }
}

/// What a front end that draws needs to know after each change.
public struct SessionFacts: Sendable, Equatable {
  /// `loadingFirst`, `failedFirst`, `items`, `empty`, `idle`, or what a later version has.
  public let phase: String
  /// Whether there is more at the end.
  public let hasMore: Bool
  /// Whether there is more before the start.
  public let hasPrevious: Bool
  /// Whether nothing new was found for some pages, so that the list goes on only when asked to.
  public let isPaused: Bool

  init(_ fields: JSONFields) {
    phase = fields.string("phase") ?? "idle"
    (hasMore, hasPrevious, isPaused) = (fields.isTrue("hasMore"), fields.isTrue("hasPrevious"), fields.isTrue("paused"))
  }
}

/// Something that happened in a session.
public struct SessionEvent: Sendable {
  /// What happened; a kind is `initial`, `more`, `previous` or `refresh`.
  public enum Change: Sendable {
    /// A load began, or is over; `result` says how.
    case loading(kind: String, isLoading: Bool, result: String?)
    /// Items came: before the others, in place of all, or after them.
    case page(items: [PagewireItem], isPrepended: Bool, replaces: Bool, scrollTo: Int?)
    /// The items at these positions are to be forgotten.
    case dropped(from: Int, to: Int)
    /// The list is empty, and about to be loaded anew.
    case cleared
    /// A try failed.
    case loadFailed(kind: String, message: String, willRetry: Bool)
    /// The server is gone; nothing follows.
    case serverEnded(ClientError)
  }

  /// What happened.
  public let change: Change
  /// The list's generation, where the event tells it; what is told of a load only does not.
  public let generation: Int?
  /// What is true of the list now, where the event says it.
  public let facts: SessionFacts?

  init(change: Change, generation: Int?, facts: SessionFacts?) {
    (self.change, self.generation, self.facts) = (change, generation, facts)
  }

  /// Nil for what this version does not know.
  init?(method: String, _ fields: JSONFields) {
    let kind = fields.string("kind") ?? ""
    let isOfList = method != "loading" && method != "loadFailed"
    generation = isOfList ? fields.integer("generation") : nil
    facts = fields.string("phase").map { _ in SessionFacts(fields) }
    switch method {
    case "loading":
      change = .loading(kind: kind, isLoading: fields.isTrue("isLoading"), result: fields.string("result"))
    case "pageAppended", "pagePrepended":
      let start = fields.integer("start") ?? 0
      let ids = fields.elements("ids")
      let items = fields.elements("items").enumerated().map { index, json in
        let id = index < ids.count && ids[index] != "null" ? ids[index] : "\(start &+ index)"
        return PagewireItem(position: start &+ index, id: id, json: json)
      }
      change = .page(
        items: items, isPrepended: method == "pagePrepended", replaces: fields.isTrue("replaces"),
        scrollTo: fields.object("scrollTo")?.integer("position"))
    case "pagesDropped":
      guard let from = fields.integer("from"), let to = fields.integer("to") else { return nil }
      change = .dropped(from: from, to: to)
    case "cleared": change = .cleared
    case "loadFailed":
      let message = fields.object("error")?.string("message") ?? "the load failed"
      change = .loadFailed(kind: kind, message: message, willRetry: fields.isTrue("willRetry"))
    default: return nil
    }
  }
}
