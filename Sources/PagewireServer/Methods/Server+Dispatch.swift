import CSystem
import JSONRPCTransport
import JSONText
import PaginationCore

// Which method does what. One file a group of methods holds its params and result.
extension Server {
  /// Carries out a request or a notification.
  mutating func perform(_ bytes: Span<UInt8>, _ message: Message, _ call: Call) throws(RequestFailure) {
    if Self.isItemAppeared(bytes, message.method) && phase == .serving && message.paramsKind != .array {
      Self.noteForCrash("itemAppeared")
      return try itemAppeared(bytes, call)
    }
    guard let method = Method(bytes, message.method) else {
      if message.method.count > 2, JSONReader.string(bytes, content: message.method).hasPrefix("$/"), !call.isRequest {
        return
      }
      if phase != .serving { throw Self.shuttingDown }
      throw RequestFailure(
        .methodNotFound, "There is no method \(RequestFailure.shown(bytes, message.method)).",
        data: [("method", quoted(JSONReader.string(bytes, content: message.method)))])
    }
    Self.noteForCrash(method.name)
    if method == .exit {
      exit()
      return answerNull(bytes, call)
    }
    if phase != .serving { throw Self.shuttingDown }
    if method.mustBeRequest && !call.isRequest {
      log.write(.warning, "a notification \(method.name) was ignored; it must be sent as a request")
      return
    }
    if message.paramsKind == .array {
      throw RequestFailure(ParamsError("", "expected an object; params are passed by name"))
    }
    try perform(bytes, method, call, Params(parser.paramMembers))
  }

  /// Says in a crash report which method was called last.
  @inline(__always)
  static func noteForCrash(_ name: StaticString) {
    csystem_crash_note_method(name.utf8Start, name.utf8CodeUnitCount)
  }

  /// Whether the name is `itemAppeared`, the most frequent of all, by two compares.
  @inline(__always)
  private static func isItemAppeared(_ bytes: Span<UInt8>, _ name: JSONSlice) -> Bool {
    name.count == 12 && bytes.word64(at: name.start) == 0x6570_7041_6D65_7469  // itemAppe
      && bytes.word32(at: name.start &+ 8) == 0x6465_7261  // ared
  }

  private mutating func perform(
    _ bytes: Span<UInt8>, _ method: Method, _ call: Call, _ params: Params
  ) throws(RequestFailure) {
    switch method {
    case .initialize: try initialize(bytes, call, params)
    case .initialized, .setTrace: answerNull(bytes, call)
    case .shutdown: shutdown(bytes, call)
    case .exit: break
    case .cancelRequest: cancelRequest(bytes, call, params)
    case .open: try open(bytes, call, params)
    case .itemAppeared: try itemAppeared(bytes, call)
    case .visibleRange: try visibleRange(bytes, call, params)
    case .loaderAppeared: try loaderAppeared(bytes, call, params)
    case .loaderDisappeared: try loaderDisappeared(bytes, call, params)
    case .scrolled: try scrolled(bytes, call, params)
    case .loadMore: try loadMore(bytes, call, params)
    case .loadPrevious: try loadPrevious(bytes, call, params)
    case .refresh: try refresh(bytes, call, params)
    case .setScrolledID: try setScrolledID(bytes, call, params)
    case .adjustOffset: try adjustOffset(bytes, call, params)
    case .state: try state(bytes, call, params)
    case .sessions: listSessions(bytes, call)
    case .close: try close(bytes, call, params)
    }
  }

  private static let shuttingDown = RequestFailure(
    .invalidRequest, "The server is shutting down; only exit is accepted.")

  /// The slot of the session that the params name.
  func sessionSlot(_ bytes: Span<UInt8>, _ params: Params) throws(RequestFailure) -> Int {
    let name = try sessionName(bytes, params)
    guard let slot = sessions.slot(bytes, named: name) else {
      throw RequestFailure.sessionNotFound(bytes, name)
    }
    return slot
  }

  /// The JSON text of the session's name.
  func sessionName(_ bytes: Span<UInt8>, _ params: Params) throws(RequestFailure) -> JSONSlice {
    guard let name = params.value(bytes, "session") else {
      throw RequestFailure(ParamsError("/session", "is missing; expected the name of a session, a string"))
    }
    guard JSONReader.kind(bytes, name) == .string else {
      throw RequestFailure(ParamsError("/session", "expected a string"))
    }
    return name
  }

  /// Turns an error of the params into one of the request.
  func reading<Value>(_ body: () throws(ParamsError) -> Value) throws(RequestFailure) -> Value {
    do throws(ParamsError) {
      return try body()
    } catch {
      throw RequestFailure(error)
    }
  }
}

/// The methods that a front end may call.
enum Method: CaseIterable {
  case initialize, initialized, shutdown, exit, cancelRequest, setTrace
  case open, itemAppeared, visibleRange, loaderAppeared, loaderDisappeared, scrolled
  case loadMore, loadPrevious, refresh, setScrolledID, adjustOffset, state, sessions, close

  /// The method with this name, if there is one.
  init?(_ bytes: Span<UInt8>, _ name: JSONSlice) {
    for method in Method.allCases where JSONReader.contentEquals(bytes, name, method.name) {
      self = method
      return
    }
    return nil
  }

  /// Whether it has no effect as a notification: without its answer nobody could know what became of it.
  var mustBeRequest: Bool { self == .initialize || self == .open || self == .shutdown }

  /// The method's name in the protocol.
  var name: StaticString {
    switch self {
    case .initialize: "initialize"
    case .initialized: "initialized"
    case .shutdown: "shutdown"
    case .exit: "exit"
    case .cancelRequest: "$/cancelRequest"
    case .setTrace: "$/setTrace"
    case .open: "open"
    case .itemAppeared: "itemAppeared"
    case .visibleRange: "visibleRange"
    case .loaderAppeared: "loaderAppeared"
    case .loaderDisappeared: "loaderDisappeared"
    case .scrolled: "scrolled"
    case .loadMore: "loadMore"
    case .loadPrevious: "loadPrevious"
    case .refresh: "refresh"
    case .setScrolledID: "setScrolledID"
    case .adjustOffset: "adjustOffset"
    case .state: "state"
    case .sessions: "sessions"
    case .close: "close"
    }
  }
}
