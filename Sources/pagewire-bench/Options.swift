/// The command line.
struct Options {
  struct Bad: Error { var message: String }

  static let usage = """
    usage: pagewire-bench [workload ...] [--rounds N] [--pagewire PATH] [--log-mb N] [--dlt PYTHON] [--ordinary]
      --rounds N       rounds of every workload (each has a number of its own otherwise)
      --pagewire PATH  the server to measure (the one built beside this program otherwise)
      --log-mb N       size of the log that file-scroll pages through, in MB (400)
      --dlt PYTHON     a Python that has dlt, the baseline of http-pages (none otherwise)
      --plots DIR      where growth writes its pictures and their data (nowhere otherwise)
      --ordinary       at ordinary priority (ahead of other processes otherwise, where that is allowed)
    growth alone takes names of axes: sessions items page-size item-size file-size (all of them if none is named)
    workloads (all of them but growth if none is named):
    """

  var workloads: [String] = []
  var rounds: Int?
  var server: String?
  var logMegabytes = 400
  var dlt: String?
  /// Axes of growth.
  var axes: [String] = []
  var plots: String?
  var ordinary = false
  var help = false

  init(arguments: [String], known: [String], axes axisNames: [String]) throws(Bad) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": help = true
      case "--ordinary": ordinary = true
      case "--rounds": rounds = try Options.number(argument, rest.popFirst())
      case "--log-mb": logMegabytes = try Options.number(argument, rest.popFirst())
      case "--dlt":
        guard let path = rest.popFirst() else { throw Bad(message: "--dlt needs the path of a Python") }
        dlt = path
      case "--pagewire":
        guard let path = rest.popFirst() else { throw Bad(message: "--pagewire needs a path") }
        server = path
      case "--plots":
        guard let path = rest.popFirst() else { throw Bad(message: "--plots needs a folder") }
        plots = path
      case _ where axisNames.contains(argument): axes.append(argument)
      case _ where known.contains(argument): workloads.append(argument)
      default: throw Bad(message: "\(argument) is neither an option nor a workload")
      }
    }
  }

  private static func number(_ option: String, _ text: String?) throws(Bad) -> Int {
    guard let text, let number = Int(text), number > 0, number <= 100_000 else {
      throw Bad(message: "\(option) needs a number from 1 to 100000")
    }
    return number
  }
}
