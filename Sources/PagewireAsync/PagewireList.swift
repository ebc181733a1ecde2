import Observation
import PagewireClient

/// A list that a view can be bound to: what it holds and shows, and what the view reports.
///
/// Everything a list has to decide is decided by the server; this keeps what it says. On the main actor, like the views.
@MainActor @Observable
public final class PagewireList {
  /// What stands in the row before the first or after the last item.
  public enum EdgeRow: Sendable, Equatable {
    case none, loading, paused
    case retrying(String)
    case failed(String)
  }

  /// What a view shows as a whole.
  public enum Content: Sendable, Equatable {
    case loadingFirst, empty, items, idle
    case failed(String)
  }

  /// The items that are loaded, in order.
  public private(set) var items: [PagewireItem] = []
  /// Where a view should scroll to, as the server has said it last; nil once a view has taken it.
  public var scrollTarget: PagewireItem.ID?
  /// Whether a refresh runs.
  public private(set) var isRefreshing = false
  /// Why the last refresh failed.
  public private(set) var refreshError: String?
  /// Why there is no server any more; the items stay, and ``reopen(on:)`` goes on.
  public private(set) var serverEnd: String?

  private var facts: SessionFacts?
  private var loading: Set<String> = []
  /// Messages of failed tries, and whether another one follows.
  private var failures: [String: (message: String, willRetry: Bool)] = [:]
  private var openError: String?
  @ObservationIgnored private var server: PagewireServer
  @ObservationIgnored private let session: String
  @ObservationIgnored private let parameters: [PagewireServer.Parameter]
  @ObservationIgnored private var generation = 1
  @ObservationIgnored private var resumeToken: String?
  @ObservationIgnored private var reader: Task<Void, Never>?
  private static var lists = 0

  /// A list of a source; `parameters` are those of `open`, such as `source` and `pageSize`.
  ///
  /// The session has a name of its own unless one is given.
  public init(on server: PagewireServer, session: String? = nil, _ parameters: [PagewireServer.Parameter]) {
    Self.lists += 1
    (self.server, self.parameters, self.session) = (server, parameters, session ?? "list-\(Self.lists)")
  }

  isolated deinit { close() }

  // MARK: What a view shows

  /// What a view shows as a whole.
  public var content: Content {
    if let openError { return .failed(openError) }
    if !items.isEmpty { return .items }
    if loading.contains(where: { $0 != "refresh" || facts?.phase != "empty" }) { return .loadingFirst }
    switch facts?.phase {
    case "failedFirst": return .failed((failures["initial"] ?? failures["refresh"])?.message ?? "the load failed")
    case "loadingFirst": return .loadingFirst
    case "empty": return .empty
    default: return .idle
    }
  }

  /// What stands after the last item.
  public var tail: EdgeRow { row("more") }
  /// What stands before the first item.
  public var head: EdgeRow { row("previous") }

  private func row(_ kind: String) -> EdgeRow {
    let failure = failures[kind]
    if loading.contains(kind) { return failure.map { .retrying($0.message) } ?? .loading }
    if let failure { return .failed(failure.message) }
    return kind == "more" && facts?.isPaused == true ? .paused : .none
  }

  // MARK: What a view reports

  /// Opens the session; failing is part of ``content``.
  public func open() async {
    (openError, serverEnd) = (nil, nil)
    do {
      let token = resumeToken.map { [PagewireServer.Parameter("resume", $0)] } ?? []
      let (state, events) = try await server.open(session, parameters + token)
      guard let fields = JSONFields(state) else { return }
      (items, failures, loading) = ([], [:], [])
      (generation, facts) = (fields.integer("generation") ?? 1, SessionFacts(fields))
      reader = Task { [weak self] in
        for await event in events { self?.apply(event) }
      }
    } catch let failure as ServerFailure {
      openError = failure.message
    } catch {
      end(error as? ClientError ?? ClientError(.ended, "\(error)"))
    }
  }

  /// Goes on with another server, where this list was.
  public func reopen(on server: PagewireServer) async {
    reader?.cancel()
    self.server = server
    await open()
  }

  /// Ends the session.
  public func close() {
    reader?.cancel()
    server.close(session)
  }

  /// An item came into view.
  public func appeared(_ item: PagewireItem) {
    send("itemAppeared", [.init("position", item.position), .init("generation", generation)])
  }

  /// The item that the user is at, to come back to.
  public func scrolled(to item: PagewireItem) {
    send("setScrolledID", [.init("id", json: item.id)])
    keepPlace()
  }

  /// Loads the list anew; returns when that is done, as a `refreshable` view wants it.
  public func refresh() async {
    _ = try? await server.request("refresh", [.init("session", session)])
  }

  /// Tries again, or goes on after a pause; also what a button for the next page does.
  public func loadMore() { send("loadMore", []) }

  /// The same at the start.
  public func loadPrevious() { send("loadPrevious", []) }

  private func send(_ method: StaticString, _ parameters: [PagewireServer.Parameter]) {
    server.notify(method, [.init("session", session)] + parameters)
  }

  private func keepPlace() {
    Task { [weak self, server, session] in
      let state = try? await server.request("state", [.init("session", session), .init("resume", true)])
      if let token = state.flatMap(JSONFields.init)?.string("resume") { self?.resumeToken = token }
    }
  }

  // MARK: What the server says

  private func apply(_ event: SessionEvent) {
    facts = event.facts ?? facts
    generation = event.generation ?? generation
    switch event.change {
    case .loading(let kind, let isLoading, _):
      if isLoading {
        loading.insert(kind)
        failures[kind] = nil
      } else {
        loading.remove(kind)
        if failures[kind]?.willRetry == true { failures[kind] = nil }
      }
      if kind == "refresh" { (isRefreshing, refreshError) = (isLoading, failures[kind]?.message) }
    case .page(let new, let isPrepended, let replaces, let scrollTo):
      if replaces { (items, failures) = ([], [:]) }
      if isPrepended { items.insert(contentsOf: new, at: 0) } else { items += new }
      if let scrollTo { scrollTarget = items.first { $0.position == scrollTo }?.id }
      keepPlace()
    case .dropped(let from, let to):
      items.removeAll { $0.position >= from && $0.position <= to }
    case .cleared: (items, failures) = ([], [:])
    case .loadFailed(let kind, let message, let willRetry): failures[kind] = (message, willRetry)
    case .serverEnded(let error): end(error)
    }
  }

  private func end(_ error: ClientError) {
    loading = []
    failures = failures.filter { !$0.value.willRetry }
    isRefreshing = false
    serverEnd = error.message
  }
}
