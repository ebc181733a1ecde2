import CSystem
import JSONRPCTransport
import JSONText
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of a provider program, with the thread that talks to it.
///
/// Anybody may ask for pages; what is to be sent is queued and the thread is woken. What comes back is handled by the thread.
final class ProviderProcess: Sendable {
  /// A request that was not answered yet.
  enum Waiting {
    /// `openSource` for a list.
    case open(ProviderList)
    /// `fetchPage`; sent only once its list is open.
    case page(ProviderCall, isSent: Bool, token: Int?)
  }

  /// How far the provider knows of a list.
  enum Stage {
    case opening
    case open
  }

  struct State {
    /// Whether nothing can be asked any more.
    var isOver = false
    /// Whether nobody needs it any more.
    var isFinishing = false
    var frames = FrameWriter()
    var waiting: [Int: Waiting] = [:]
    var lastID = 0
    var stages: [Int: Stage] = [:]
    var wakeReader: Int32 = -1
    var wakeWriter: Int32 = -1
  }

  let program: Program
  let name: String
  let state = Mutex(State())
  private let crashed: @Sendable (ProviderProcess) -> Void

  /// A run that has not begun; `crashed` is called where it ends though it is needed.
  init(_ program: Program, name: String, crashed: @escaping @Sendable (ProviderProcess) -> Void) {
    self.program = program
    self.name = name
    self.crashed = crashed
  }

  deinit {
    state.withLock { state in
      for descriptor in [state.wakeReader, state.wakeWriter] where descriptor >= 0 {
        _ = Self.closeDescriptor(descriptor)
      }
    }
  }

  /// Starts the thread, which starts the program; false where there is none to be had.
  func start() -> Bool {
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    state.withLock { state in (state.wakeReader, state.wakeWriter) = (ends[0], ends[1]) }
    let box = Unmanaged.passRetained(self)
    let result = csystem_start_thread(providerMain, box.toOpaque(), 512 << 10)
    if result != 0 { box.release() }
    return result == 0
  }

  // MARK: For everybody

  /// Asks for a page; false where the process is over, and another one must be asked.
  func fetch(_ call: ProviderCall) -> Bool {
    let (id, isOver) = state.withLock { state -> (Int?, Bool) in
      if state.isOver || state.isFinishing { return (nil, true) }
      if state.frames.count > ProviderLimits.maximumQueuedBytes { return (nil, false) }
      let isOpen = state.stages[call.list.number] == .open
      if state.stages[call.list.number] == nil { state.sendOpen(call.list) }
      state.lastID += 1
      if isOpen { state.sendFetch(call, id: state.lastID) }
      state.waiting[state.lastID] = .page(call, isSent: isOpen, token: nil)
      return (state.lastID, false)
    }
    if isOver { return false }
    guard let id else {
      call.answer(
        .failure(SourceError(.loadFailed, "The program \"\(name)\" does not read what it is sent. Load again.")))
      return true
    }
    wake()
    watchFlag(of: call, id: id)
    return true
  }

  /// Tells of the end of a list.
  func close(_ list: ProviderList) {
    let orphans = state.withLock { state -> [ProviderCall] in
      var orphans: [ProviderCall] = []
      for case (let id, .page(let call, _, _)) in state.waiting where call.list === list {
        state.waiting[id] = nil
        orphans.append(call)
      }
      if state.stages.removeValue(forKey: list.number) != nil { state.sendClose(list) }
      return orphans
    }
    for call in orphans { call.answer(.failure(Self.unwanted(name))) }
    wake()
  }

  /// Lets the program end: its input ends once everything is sent.
  func finish() {
    state.withLock { $0.isFinishing = true }
    wake()
  }

  private func watchFlag(of call: ProviderCall, id: Int) {
    let token = call.flag.addAction { [self] in cancel(id) }
    // It may have been answered meanwhile.
    let isWaiting = state.withLock { state -> Bool in
      guard case .page(let call, let isSent, _)? = state.waiting[id] else { return false }
      state.waiting[id] = .page(call, isSent: isSent, token: token)
      return true
    }
    if !isWaiting { call.flag.removeAction(token) }
  }

  private func cancel(_ id: Int) {
    let call = state.withLock { state -> ProviderCall? in
      guard case .page(let call, let isSent, _)? = state.waiting.removeValue(forKey: id) else { return nil }
      if isSent { state.sendCancel(id) }
      return call
    }
    wake()
    call?.answer(.failure(Self.unwanted(name)))
  }

  private func wake() {
    let writer = state.withLock { $0.wakeWriter }
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  // MARK: For the thread

  /// Takes a request that was answered.
  func take(_ id: Int) -> Waiting? {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
    if case .page(let call, _, let token?)? = waiting { call.flag.removeAction(token) }
    return waiting
  }

  /// Ends pages with an error: all of them, those that were sent, or those of one list.
  func fail(_ error: SourceError, where isMeant: (ProviderCall, _ isSent: Bool) -> Bool) {
    let ids = state.withLock { state in
      state.waiting.compactMap { id, waiting in
        if case .page(let call, let isSent, _) = waiting, isMeant(call, isSent) { return id }
        return nil
      }
    }
    for id in ids.sorted() {
      if case .page(let call, _, _)? = take(id) { call.answer(.failure(error)) }
    }
  }

  /// Ends the run: nothing can be asked any more, and whoever waits gets the error.
  func end(with error: SourceError) {
    // Before those who wait are told, so that who asks again at once meets a new process, or the limit.
    if state.withLock({ !$0.isFinishing }) { crashed(self) }
    state.withLock { $0.isOver = true }
    fail(error) { _, _ in true }
  }

  static func unwanted(_ name: String) -> SourceError {
    SourceError(.loadFailed, "The page of \"\(name)\" was not wanted any more.")
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}

private func providerMain(_ process: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let process else { return nil }
  ThreadSignals.blockBrokenPipe()
  let taken = Unmanaged<ProviderProcess>.fromOpaque(process).takeRetainedValue()
  var conversation = ProviderConversation(taken)
  conversation.run()
  return nil
}
