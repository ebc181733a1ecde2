import JSONRPCTransport
import JSONText
import TestSupport
import Testing

@testable import PagewireServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Output through a real pipe that is small and read in pieces.
@Suite struct OutboxTests {
  init() {
    // As the server does when it takes its streams over.
    signal(SIGPIPE, SIG_IGN)
  }

  /// A pipe whose writing end does not block, made as small as the system lets it be.
  private final class Pipe {
    let read: Int32
    let write: Int32

    init() throws {
      (read, write) = try #require(SystemCalls.makePipe())
      _ = fcntl(write, F_SETFL, O_NONBLOCK)
      _ = fcntl(read, F_SETFL, O_NONBLOCK)
      #if os(Linux)
        _ = fcntl(write, 1031, Int32(4096))
      #endif
    }

    deinit {
      close(read)
      close(write)
    }

    var streams: StandardStreams { StandardStreams(input: -1, output: write, outputKind: .pipe, areWide: true) }

    /// What is there, at most so much.
    func take(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let taken = bytes.withUnsafeMutableBytes { SystemCalls.read(read, $0) }
      return Array(bytes.prefix(max(0, taken)))
    }
  }

  private func bodies(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var decoder = FrameDecoder()
    decoder.append(bytes.span)
    var bodies: [[UInt8]] = []
    while case .frame(let slice) = decoder.next() { bodies.append(Array(decoder.buffer[slice.range])) }
    #expect(decoder.bufferedBytes == 0)
    return bodies
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func everythingGoesOutInOrderHoweverLittleTheClientTakes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pipe = try Pipe()
    var outbox = Outbox(streams: pipe.streams)
    var expected: [[UInt8]] = []
    var received: [UInt8] = []
    for number in 0..<60 {
      switch random.below(3) {
      case 0:
        outbox.beginAnswer(.stream)
        outbox.json.beginResult(id: RequestID(number: number))
        outbox.json.int(number)
        outbox.json.endObject()
        outbox.endAnswer(.stream)
        expected.append(Array(#"{"jsonrpc":"2.0","id":\#(number),"result":\#(number)}"#.utf8))
      default:
        let items = [UInt8](repeating: UInt8(ascii: "a") + UInt8(number % 26), count: random.below(60_000))
        let head = Array("[\(number),\"".utf8)
        outbox.sendPage(head: head, items: items.span, tail: Array("\"]".utf8))
        expected.append(head + items + Array("\"]".utf8))
      }
      if random.chance(oneIn: 2) { outbox.flush() }
      if random.chance(oneIn: 2) { received += pipe.take(1 + random.below(9_000)) }
    }
    while outbox.pendingBytes > 0 {
      outbox.flush()
      received += pipe.take(1 + random.below(9_000))
    }
    while true {
      let rest = pipe.take(65_536)
      if rest.isEmpty { break }
      received += rest
    }
    #expect(try bodies(received) == expected, "seed \(seed)")
    #expect(!outbox.isGone)
  }

  @Test func aLargePageGoesStraightOutWhereThereIsRoom() throws {
    let pipe = try Pipe()
    #if os(Linux)
      _ = fcntl(pipe.write, 1031, Int32(1 << 20))
    #endif
    var outbox = Outbox(streams: pipe.streams)
    let items = [UInt8](repeating: 0x20, count: 40_000)
    outbox.sendPage(head: Array("[".utf8), items: items.span, tail: Array("]".utf8))
    #if os(Linux)
      #expect(outbox.pendingBytes == 0)
    #endif
    outbox.flush()
    #expect(try bodies(pipe.take(65_536)).first?.count == 40_002)
  }

  @Test func memoryOfWhatWasSentIsGivenBack() throws {
    let pipe = try Pipe()
    var outbox = Outbox(streams: pipe.streams)
    let items = [UInt8](repeating: 0x20, count: 8 << 20)
    outbox.sendPage(head: [], items: items.span, tail: [])
    #expect(outbox.json.bytes.capacity > 7 << 20)
    while outbox.pendingBytes > 0 {
      outbox.flush()
      _ = pipe.take(65_536)
    }
    #expect(outbox.json.bytes.capacity <= 2 << 20)
  }

  @Test func aReaderThatIsGoneIsNoticed() throws {
    let (read, write) = try #require(SystemCalls.makePipe())
    var outbox = Outbox(
      streams: StandardStreams(input: -1, output: write, outputKind: .pipe, areWide: true))
    close(read)
    outbox.beginNotification("x")
    outbox.json.null()
    outbox.endNotification()
    outbox.flush()
    #expect(outbox.isGone)
    // Nothing more is tried.
    outbox.sendPage(head: [], items: [UInt8](repeating: 0x20, count: 40_000).span, tail: [])
    outbox.flush()
    close(write)
  }

  @Test func aSocketIsWrittenWithoutWaiting() throws {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    var outbox = Outbox(
      streams: StandardStreams(input: -1, output: ends[1], outputKind: .socket, areWide: true))
    outbox.sendPage(head: [], items: [UInt8](repeating: 0x20, count: 4 << 20).span, tail: [])
    outbox.flush()
    #expect(outbox.pendingBytes > 0)
    close(ends[0])
    outbox.flush()
    #expect(outbox.isGone)
    close(ends[1])
  }
}
