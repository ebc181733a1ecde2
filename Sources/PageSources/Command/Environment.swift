#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The environment that a program gets.
struct Environment: Sendable, Equatable {
  /// `NAME=value`, each name once, in the order in which they were set.
  private(set) var entries: [[UInt8]] = []

  /// The server's own.
  static var ours: Environment {
    var environment = Environment()
    let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    guard let list else { return environment }
    var index = 0
    while let entry = list[index] {
      environment.entries.append((0..<strlen(entry)).map { UInt8(bitPattern: entry[$0]) })
      index += 1
    }
    return environment
  }

  /// The value of a variable, nil where it is not set.
  func value(of name: [UInt8]) -> [UInt8]? {
    entries.first { Self.isNamed($0, name) }.map { Array($0.dropFirst(name.count + 1)) }
  }

  /// Sets a variable.
  mutating func set(_ name: [UInt8], to value: [UInt8]) {
    remove(name)
    entries.append(name + [UInt8(ascii: "=")] + value)
  }

  /// Leaves a variable out.
  mutating func remove(_ name: [UInt8]) {
    entries.removeAll { Self.isNamed($0, name) }
  }

  private static func isNamed(_ entry: [UInt8], _ name: [UInt8]) -> Bool {
    entry.count > name.count && entry[name.count] == UInt8(ascii: "=") && entry.starts(with: name)
  }
}
