// pagewire-list SOURCE: prints a list, and prints it again whenever it has changed, as a view would be drawn again.
// SOURCE is a path or a source object as JSON. On standard input it takes words: refresh, retry, previous, restart, quit.
// What it shows is a PagewireList, as a SwiftUI view shows it; README.md beside the package has that view.
import Foundation
import Observation
import PagewireAsync
import PagewireClient

@MainActor
final class Program {
  private let command: ServerCommand
  private let list: PagewireList
  private var reported: Set<PagewireItem.ID> = []
  private var shown = ""

  init(_ command: ServerCommand, source: String) async throws {
    self.command = command
    let server = try await PagewireServer.start(command, clientName: "pagewire-list")
    list = PagewireList(on: server, [.init("source", json: source), .init("maxItems", 1000)])
  }

  func run(_ words: AsyncStream<String>) async {
    draw()
    await list.open()
    for await word in words {
      switch word {
      case "refresh": Task { await list.refresh() }
      case "retry": list.loadMore()
      case "previous": list.loadPrevious()
      case "restart": await restart()
      case "quit": return list.close()
      default: break
      }
    }
  }

  private func restart() async {
    guard let server = try? await PagewireServer.start(command, clientName: "pagewire-list") else { return }
    await list.reopen(on: server)
  }

  /// Draws, and once more when something has changed that was drawn.
  private func draw() {
    let text = withObservationTracking {
      rows().joined(separator: "\n")
    } onChange: {
      Task { @MainActor [weak self] in self?.draw() }
    }
    if text != shown { FileHandle.standardOutput.write(Data("\u{0C}\(text)\n".utf8)) }
    shown = text
    report()
  }

  private func rows() -> [String] {
    var rows: [String] = []
    switch list.content {
    case .loadingFirst: rows.append("Loading ...")
    case .empty: rows.append("No items.")
    case .idle: rows.append("Nothing is loaded (retry: load).")
    case .failed(let message): rows.append("Failed (retry: try again): \(message)")
    case .items: rows = [row(list.head)] + list.items.map(\.title) + [row(list.tail)]
    }
    if let error = list.refreshError { rows.append("The refresh failed: \(error)") }
    if let end = list.serverEnd { rows.append("The server is gone (restart: start it again): \(end)") }
    return rows.filter { !$0.isEmpty }
  }

  private func row(_ edge: PagewireList.EdgeRow) -> String {
    switch edge {
    case .none: ""
    case .loading: "Loading ..."
    case .retrying(let message): "Loading ... (\(message))"
    case .failed(let message): "Failed (retry: try again): \(message)"
    case .paused: "Nothing new was found (retry: go on)."
    }
  }

  /// A list on paper shows every item, so each appears as it comes.
  private func report() {
    let all = Set(list.items.map(\.id))
    for item in list.items where !reported.contains(item.id) { list.appeared(item) }
    reported = all
    if let item = list.items.first(where: { $0.id == list.scrollTarget }) { list.scrolled(to: item) }
  }
}

func words() -> AsyncStream<String> {
  AsyncStream { continuation in
    // Reading blocks, so it has a thread to itself.
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.yield("quit")
      continuation.finish()
    }
  }
}

let arguments = CommandLine.arguments.dropFirst()
let name = ProcessInfo.processInfo.environment["PAGEWIRE"] ?? "pagewire"
guard let argument = arguments.first, let command = ServerCommand(arguments: [name]) else {
  print("usage: pagewire-list PATH | JSON")
  exit(2)
}
let path = try JSONEncoder().encode(argument)
let file = "{\"type\":\"file\",\"path\":\(String(decoding: path, as: UTF8.self))}"
let source = argument.hasPrefix("{") ? argument : file
do {
  try await Program(command, source: source).run(words())
} catch {
  print((error as? ClientError)?.message ?? "\(error)")
  exit(1)
}
