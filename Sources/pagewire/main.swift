// Arguments, wiring, exit codes. Top-level code, not an `@main` type: that would link the concurrency library, and start-up
// would take longer.
import CProtocolText
import CStart
import CSystem
import PagewireBrowse
import PagewireReplay
import PagewireServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private func put(_ text: String, to descriptor: Int32) {
  let bytes = Array(text.utf8)
  _ = csystem_write_all(descriptor, bytes, bytes.count)
}

private func run(_ arguments: [String]) -> Int32 {
  switch arguments.first {
  case "browse":
    return PagewireBrowse.run(arguments: Array(arguments.dropFirst()), serverExecutable: CommandLine.arguments[0])
  case "replay":
    return PagewireReplay.run(arguments: Array(arguments.dropFirst()), serverExecutable: CommandLine.arguments[0])
  case "schema" where arguments.count == 1:
    _ = csystem_write_all(1, cprotocol_openrpc(), cprotocol_openrpc_size())
    return 0
  default: return serve(arguments)
  }
}

private func serve(_ arguments: [String]) -> Int32 {
  do throws(ServerArguments.UsageError) {
    switch try ServerArguments.parse(arguments) {
    case .help: put(ServerArguments.help, to: 1)
    case .version: put("pagewire \(PagewireVersion.server) (protocol \(PagewireVersion.protocolVersion))\n", to: 1)
    case .serve(let options): return EventLoop.serve(options: options)
    }
    return 0
  } catch {
    put("pagewire: \(error.message)\n", to: 2)
    return 2
  }
}

// An array of strings costs the start some of its time: none is made where there are no arguments.
exit(cstart_argument_count() == 1 ? serve([]) : run(Array(CommandLine.arguments.dropFirst())))
