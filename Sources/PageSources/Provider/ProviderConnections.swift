import Synchronization

/// The connections to all providers, by what is run.
enum ProviderConnections {
  private static let all = Mutex<[Program: ProviderConnection]>([:])

  /// The connection for a program, made where there is none yet.
  static func connection(to program: Program, name: String) -> ProviderConnection {
    all.withLock { all in
      if let connection = all[program] { return connection }
      all = all.filter { !$0.value.isIdle }
      let connection = ProviderConnection(program, name: name)
      all[program] = connection
      return connection
    }
  }
}
