import Testing

@testable import PagewireServer

@Suite struct ResumeTests {
  @Test func crash() throws {
    var probe = try ServerProbe()
    try probe.open("a", #"{"type":"synthetic"}"#)
    probe.notify("loadMore", #"{"session":"a"}"#)
    probe.turn()
    print(probe.server.sessions[0].core.resumePlace(limit: 300) as Any)
    let core = probe.server.sessions[0].core
    print(core.resumePlace(limit: 300) as Any)
    _ = try probe.call("setScrolledID", #"{"session":"a","id":7}"#)
    print(probe.server.sessions[0].core.resumePlace(limit: 300) as Any)
    _ = try probe.call("setScrolledID", #"{"session":"a","id":27}"#)
    print(probe.server.sessions[0].core.resumePlace(limit: 300) as Any)
    print(probe.server.sessions[0].core.resumePlace(limit: 300) as Any)
    print(try probe.call("state", #"{"session":"a","resume":true}"#)["result"]["resume"])
  }
}
