/// The command line.
struct Options {
  struct Bad: Error { var message: String }

  static let usage = """
    usage: pagewire-bench [workload ...] [options]
      --list           workloads, and peers with what is there of them
      --rounds N       rounds of every workload (each has a number of its own otherwise)
      --json FILE      every figure of every round, as JSON
      --pagewire PATH  the server to measure (the one built beside this program otherwise)
      --python PATH    the Python for peers that are written in it (python3 in PATH otherwise)
      --log-mb N       size of the logs of the file workloads, in MB (400; file-view has 1000)
      --plots DIR      where growth writes its pictures and their data (nowhere otherwise)
      --own            as if no peer were installed: only our own C programs and the system's tools
      --smoke          one round of a hundredth of the work: shows that all of it runs; its figures say nothing
      --ordinary       at ordinary priority (ahead of other processes otherwise, where that is allowed)
    All workloads run if none is named, but for growth, which alone takes names of axes too: sessions items page-size item-size
    file-size (all of them if none is named).
    """

  var workloads: [String] = []
  var rounds: Int?
  var server: String?
  var python: String?
  var json: String?
  var logMegabytes: Int?
  /// Axes of growth.
  var axes: [String] = []
  var plots: String?
  var list = false
  var own = false
  var smoke = false
  var ordinary = false
  var help = false

  init(arguments: [String], known: [String], axes axisNames: [String]) throws(Bad) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": help = true
      case "--list": list = true
      case "--own": own = true
      case "--smoke": smoke = true
      case "--ordinary": ordinary = true
      case "--rounds": rounds = try Options.number(argument, rest.popFirst())
      case "--log-mb": logMegabytes = try Options.number(argument, rest.popFirst())
      case "--python": python = try Options.path(argument, rest.popFirst())
      case "--pagewire": server = try Options.path(argument, rest.popFirst())
      case "--plots": plots = try Options.path(argument, rest.popFirst())
      case "--json": json = try Options.path(argument, rest.popFirst())
      case _ where axisNames.contains(argument): axes.append(argument)
      case _ where known.contains(argument): workloads.append(argument)
      default: throw Bad(message: "\(argument) is neither an option nor a workload; --list shows those")
      }
    }
  }

  private static func path(_ option: String, _ text: String?) throws(Bad) -> String {
    guard let text, !text.isEmpty else { throw Bad(message: "\(option) needs a path") }
    return text
  }

  private static func number(_ option: String, _ text: String?) throws(Bad) -> Int {
    guard let text, let number = Int(text), number > 0, number <= 100_000 else {
      throw Bad(message: "\(option) needs a number from 1 to 100000")
    }
    return number
  }
}
