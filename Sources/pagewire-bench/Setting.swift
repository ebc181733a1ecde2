import CBenchSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What all workloads share: the programs, the peers, the CPUs, a folder for files, how often to repeat.
///
/// The server and our own baselines run as copies, as installed programs are: a file that the linker wrote is in small pieces,
/// which the page cache keeps, and starts more slowly.
struct Setting {
  /// The server's path.
  let server: String
  let folder: String
  let options: Options
  let peers: Peers
  let serverCPU: Int32
  let clientCPU: Int32
  private let isAhead: Bool
  private let ownFolder: String
  /// What the server is a copy of.
  private let builtServer: String

  init(options: Options, folder: String) throws {
    self.options = options
    self.folder = folder
    ownFolder = Setting.folderOfThisProgram()
    builtServer = options.server ?? ownFolder + "/pagewire"
    server = folder + "/pagewire"
    var cpus = [Int32](repeating: 0, count: 64)
    let count = Int(bench_allowed_cpus(&cpus, 64))
    serverCPU = cpus[0]
    clientCPU = cpus[count > 1 ? 1 : 0]
    bench_pin(clientCPU)
    peers = Peers(options: options)
    isAhead = !options.ordinary && bench_raise_priority() != 0
    guard access(builtServer, X_OK) == 0 else {
      throw Misbehaviour(program: builtServer, what: "cannot be run; build it, or name another by --pagewire PATH")
    }
    try Files.copyProgram(builtServer, to: server)
  }

  /// The path of a baseline that is built beside this program.
  func baseline(_ name: String) throws -> String {
    let path = ownFolder + "/" + name
    guard access(path, X_OK) == 0 else {
      throw Misbehaviour(program: path, what: "cannot be run; build the whole package: swift build -c release")
    }
    let copy = folder + "/" + name
    if access(copy, X_OK) != 0 { try Files.copyProgram(path, to: copy) }
    return copy
  }

  /// Starts a program of others; what it says on standard error is kept for the case that it fails.
  func child(_ command: Command) throws -> Child {
    try Child(command.path, command.arguments, on: serverCPU, errors: folder + "/errors")
  }

  /// How often to repeat: what the command line says, or else `standard`.
  func rounds(_ standard: Int) -> Int { options.smoke ? 1 : options.rounds ?? standard }

  /// How much to do in a round: `standard`, or where all that counts is that it runs a hundredth, but `least` in any case.
  func amount(_ standard: Int, least: Int = 1) -> Int { options.smoke ? max(standard / 100, least) : standard }

  /// How large a log is to be, in bytes.
  func logBytes(_ standardMegabytes: Int = 400) -> Int {
    (options.logMegabytes ?? amount(standardMegabytes, least: 4)) * 1_000_000
  }

  /// What the figures depend on.
  var facts: [(String, String)] {
    let model = Files.lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
    let kernel = Files.lines("/proc/sys/kernel/osrelease").first ?? "?"
    return [
      ("server", "a copy of \(builtServer), \(Files.size(server)) bytes"),
      ("machine", "\(model.map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "?"), kernel \(kernel)"),
      ("pinned", "programs under measurement to CPU \(serverCPU), the client to CPU \(clientCPU)"),
      ("priority", isAhead ? "SCHED_RR, ahead of what else runs here" : "ordinary: run nothing else meanwhile"),
    ]
  }

  /// Prints what the figures depend on.
  func describe() {
    for (name, text) in facts { print("\(pad(name, 9)) \(text)") }
    #if DEBUG
      print("CAUTION   this is a debug build: the baselines are not optimised; use swift run -c release pagewire-bench")
    #endif
  }

  private static func folderOfThisProgram() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path =
      count > 0
      ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      : CommandLine.arguments[0]
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}
