import CSystem

/// Why a file cannot be read, before it is put into words for a request.
struct FileFault: Error, Equatable {
  /// The reason, as the end of a sentence: "it is a directory".
  var reason: String
  /// Whether the policy forbids it, rather than the system.
  var isRefused = false

  /// The file lies outside of where files may be opened.
  static let outsideOfRoot: FileFault = {
    var fault = FileFault(reason: "it is not in the folder that --root names")
    fault.isRefused = true
    return fault
  }()

  /// A fault with a reason of our own.
  init(reason: String) {
    self.reason = reason
  }

  /// A fault that the system reported.
  init(errno code: Int32) {
    var text = [CChar](repeating: 0, count: 256)
    csystem_error_text(code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.reason = String(decoding: bytes, as: UTF8.self)
  }
}
