#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks functions up in an opened library.
struct SQLiteSymbols {
  private let library: UnsafeMutableRawPointer

  init(_ library: UnsafeMutableRawPointer) {
    self.library = library
  }

  /// The function `sqlite3_NAME` as a C function pointer of type `Function`.
  func callAsFunction<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) throws(SQLiteLibrary.MissingSymbol) -> Function {
    guard let address = dlsym(library, "sqlite3_" + name),
      MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size
    else { throw SQLiteLibrary.MissingSymbol(name: "sqlite3_" + name) }
    // A C function pointer is the address that dlsym gives (POSIX demands that much), and every type that is asked for
    // is `@convention(c)`, so the sizes are the same and no bit has another meaning.
    return unsafeBitCast(address, to: Function.self)
  }
}
