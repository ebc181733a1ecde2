import JSONRPCTransport
import JSONText

// What is sent to a provider.
extension ProviderProcess.State {
  /// Queues `openSource`.
  mutating func sendOpen(_ list: ProviderList) {
    stages[list.number] = .opening
    lastID += 1
    waiting[lastID] = .open(list)
    frames.beginFrame()
    frames.json.beginRequest(id: RequestID(number: lastID), method: "openSource")
    frames.json.beginObject()
    frames.json.member("session", "\(list.number)")
    frames.json.key("source")
    frames.json.raw(list.source)
    frames.json.endObject()
    end()
  }

  /// Queues `fetchPage`.
  mutating func sendFetch(_ call: ProviderCall, id: Int) {
    frames.beginFrame()
    frames.json.beginRequest(id: RequestID(number: id), method: "fetchPage")
    frames.json.beginObject()
    frames.json.member("session", "\(call.list.number)")
    call.request.writeMembers(params: call.list.params, to: &frames.json)
    frames.json.endObject()
    end()
  }

  /// Queues `$/cancelRequest`.
  mutating func sendCancel(_ id: Int) {
    frames.beginFrame()
    frames.json.beginNotification(method: "$/cancelRequest")
    frames.json.beginObject()
    frames.json.member("id", id)
    frames.json.endObject()
    end()
  }

  /// Queues `closeSource`.
  mutating func sendClose(_ list: ProviderList) {
    frames.beginFrame()
    frames.json.beginNotification(method: "closeSource")
    frames.json.beginObject()
    frames.json.member("session", "\(list.number)")
    frames.json.endObject()
    end()
  }

  /// Queues the refusal of a request that the provider has sent.
  mutating func sendRefusal(of id: RequestID) {
    frames.beginFrame()
    frames.json.beginError(id: id, code: .methodNotFound, message: "The server answers no requests of providers.")
    frames.json.endError()
    frames.endFrame()
  }

  private mutating func end() {
    frames.json.endObject()
    frames.endFrame()
  }
}
