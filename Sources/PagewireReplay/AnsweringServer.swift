import CSystem
import JSONText
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP server on the loopback that answers as a transcript says: one request a connection, one connection at a time.
final class AnsweringServer: Sendable {
  private struct State {
    /// How often each target was asked for.
    var asked: [String: Int] = [:]
    var isStopped = false
  }

  private let answers: [String: [HTTPAnswer]]
  private let listener: Int32
  private let state = Mutex(State())
  /// The URLs of the targets as JSON text, by target.
  let names: [String: [UInt8]]

  /// The largest head of a request that is read.
  private static let maximumHeadBytes = 64 << 10
  /// How long a client may be silent within a request, in seconds.
  private static let patience = 10

  /// Listens, and answers on a thread of its own; nil where there is no socket, with errno set.
  init?(_ answers: [(target: String, answers: [HTTPAnswer])]) {
    self.answers = Dictionary(answers.map { ($0.target, $0.answers) }) { $1 }
    guard let (listener, port) = Self.listen() else { return nil }
    self.listener = listener
    names = Dictionary(
      answers.map { answer in
        var json = JSONWriter()
        json.string("http://127.0.0.1:\(port)\(answer.target)")
        return (answer.target, json.bytes)
      }
    ) { $1 }
    let box = Unmanaged.passRetained(self)
    guard csystem_start_thread(answeringMain, box.toOpaque(), 256 << 10) == 0 else {
      box.release()
      close(listener)
      return nil
    }
  }

  /// Ends it: no connection is taken any more.
  func stop() {
    state.withLock { $0.isStopped = true }
    // Wakes the thread, which closes the socket.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private static func listen() -> (socket: Int32, port: UInt16)? {
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard listener >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #if canImport(Glibc)
          bind(listener, address, size) == 0 && Glibc.listen(listener, 64) == 0
            && getsockname(listener, address, &size) == 0
        #else
          bind(listener, address, size) == 0 && Darwin.listen(listener, 64) == 0
            && getsockname(listener, address, &size) == 0
        #endif
      }
    }
    guard isBound else {
      close(listener)
      return nil
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  // MARK: On its thread

  fileprivate func serve() {
    defer { close(listener) }
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 {
        if errno == EINTR || errno == ECONNABORTED, !state.withLock({ $0.isStopped }) { continue }
        return
      }
      var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      if let target = target(of: connection) {
        let answer = answer(to: target).bytes
        _ = csystem_write_all(connection, answer, answer.count)
      }
      close(connection)
    }
  }

  /// Reads a request to its end; nil where it is none.
  private func target(of connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var wanted: Int?
    while wanted.map({ bytes.count < $0 }) ?? true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0, bytes.count < Self.maximumHeadBytes || wanted != nil else { return nil }
      bytes += buffer[..<count]
      if wanted == nil, let end = Self.end(ofHead: bytes) {
        wanted = end + Self.bodyLength(String(decoding: bytes[..<end], as: UTF8.self))
      }
    }
    let words = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
    return words.count == 3 ? String(words[1]) : nil
  }

  private static func end(ofHead bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    guard bytes.count >= mark.count else { return nil }
    for index in 0...(bytes.count - mark.count) where bytes[index..<(index + 4)].elementsEqual(mark) {
      return index + 4
    }
    return nil
  }

  private static func bodyLength(_ head: String) -> Int {
    for line in head.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "content-length" {
        return Int(parts[1].filter { $0 != " " }).map { min(max(0, $0), 64 << 20) } ?? 0
      }
    }
    return 0
  }

  private func answer(to target: String) -> HTTPAnswer {
    guard let row = answers[target], let last = row.last else { return .notFound }
    let number = state.withLock { state in
      let number = state.asked[target] ?? 0
      state.asked[target] = number + 1
      return number
    }
    return number < row.count ? row[number] : last
  }
}

private func answeringMain(_ server: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let server { Unmanaged<AnsweringServer>.fromOpaque(server).takeRetainedValue().serve() }
  return nil
}
