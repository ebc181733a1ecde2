/// The ids of requests that have been taken in and not yet answered, by their exact text.
///
/// A second request under an id in flight must be refused, and with id null, so that the refusal is not taken for the first
/// one's answer. Requests that are answered before anything else is read need not be put in.
public struct InFlightRequests: Sendable {
  /// What became of an id that was to be put in.
  public enum Insertion: Sendable, Equatable {
    /// It is in flight now.
    case inserted
    /// It was in flight already.
    case duplicate
    /// As many as are allowed are in flight.
    case full
  }

  /// How many requests may be in flight at once.
  public let maxCount: Int
  private var ids: Set<RequestID> = []

  /// Makes an empty set with room for `maxCount` ids.
  public init(maxCount: Int = 65_536) {
    self.maxCount = maxCount
  }

  /// How many requests are in flight.
  public var count: Int { ids.count }

  /// Whether none is.
  public var isEmpty: Bool { ids.isEmpty }

  /// Whether a request with this id is in flight.
  public func contains(_ id: RequestID) -> Bool { !ids.isEmpty && ids.contains(id) }

  /// Puts an id in flight.
  public mutating func insert(_ id: RequestID) -> Insertion {
    if ids.contains(id) { return .duplicate }
    if ids.count >= maxCount { return .full }
    ids.insert(id)
    return .inserted
  }

  /// Takes an id out once its request is answered; false if it was not in flight.
  public mutating func remove(_ id: RequestID) -> Bool { ids.remove(id) != nil }

  /// Takes all ids out.
  public mutating func removeAll() { ids.removeAll() }
}
