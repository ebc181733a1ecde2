import PagewireAsync
import PagewireClient

guard let command = ServerCommand(line: "pagewire") else { fatalError("an empty command") }
let server = try await PagewireServer.start(command, clientName: "ten lines")
let (_, events) = try await server.open("log", [.init("source", json: #"{"type":"file","path":"README.md"}"#)])
for await event in events {
  guard case .page(let items, _, _, _) = event.change else { continue }
  for item in items { print(item.position, item.title) }
  server.notify("itemAppeared", [.init("session", "log"), .init("position", items.last?.position ?? 0)])
  if event.facts?.hasMore == false { break }
}
