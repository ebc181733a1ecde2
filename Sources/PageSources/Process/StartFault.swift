import CSystem

/// Why a program could not be started.
struct StartFault: Error, Equatable {
  /// What could not be done, as the start of a sentence: `Cannot start "x"`.
  var what: String
  /// The reason, as its end: `No such file or directory`.
  var reason: String

  /// A fault that the system reported.
  init(_ what: String, errno code: Int32) {
    self.what = what
    reason = FileFault(errno: code).reason
  }

  /// The fault at one step of starting `program`.
  init(_ program: Program, at step: csystem_start_step, errno code: Int32) {
    if step == CSYSTEM_START_CHDIR {
      let directory = String(decoding: program.directory ?? [], as: UTF8.self)
      self.init("Cannot run \"\(program.name)\" in the directory \(SourceObject.shown(directory))", errno: code)
    } else {
      self.init("Cannot start \"\(program.name)\"", errno: code)
    }
  }

  /// The error that a request gets.
  var sourceError: SourceError {
    SourceError(
      .sourceUnavailable, "\(what): \(reason). Check that it is there and may be executed, then open it again.",
      details: [.string("reason", reason)])
  }
}
