import CSystem
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal as a full-screen list uses it: alternate screen, keys unbuffered, everything put back by `leave`.
final class Terminal {
  /// Where keys come from.
  let input: Int32
  /// Where the screen goes.
  let output: Int32
  private let ownsInput: Bool
  private var savedMode = termios()
  private(set) var isEntered = false

  // Alternate screen, no cursor, no wrapping at the last column; and back, colours first.
  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J"
  private static let leaveSequence = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Times a terminal that does not block may take nothing for a tenth of a second before it counts as gone.
  private static let maxWaits = 50

  /// The terminal that standard output is, with its keys: standard input, or where that is none `/dev/tty`.
  ///
  /// Nil where standard output is no terminal that can be drawn on, or there are no keys.
  init?() {
    guard isatty(STDOUT_FILENO) == 1, Self.canDraw else { return nil }
    output = STDOUT_FILENO
    if isatty(STDIN_FILENO) == 1 {
      input = STDIN_FILENO
      ownsInput = false
    } else {
      input = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
      ownsInput = true
      if input < 0 { return nil }
    }
  }

  deinit {
    leave()
    if ownsInput { close(input) }
  }

  private static var canDraw: Bool {
    guard let name = getenv("TERM") else { return false }
    let text = String(cString: name)
    return !text.isEmpty && text != "dumb"
  }

  /// Size in cells, at least one each; 80 by 24 where the terminal does not say.
  var size: (columns: Int, rows: Int) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    let isKnown = csystem_terminal_size(output, &columns, &rows) == 0 && columns > 0 && rows > 0
    return isKnown ? (Int(columns), Int(rows)) : (80, 24)
  }

  /// Takes the screen.
  ///
  /// False, with `errno`, where the terminal refuses.
  func enter() -> Bool {
    guard !isEntered else { return true }
    guard tcgetattr(input, &savedMode) == 0 else { return false }
    let leaveBytes = Array(Self.leaveSequence.utf8)
    csystem_terminal_arm(output, &savedMode, leaveBytes, leaveBytes.count)
    guard setRawMode() else {
      csystem_terminal_disarm()
      return false
    }
    isEntered = true
    write(Array(Self.enterSequence.utf8))
    return true
  }

  /// Takes the screen again after the process had been stopped, whether or not it had given the screen back.
  func resume() -> Bool {
    guard isEntered else { return enter() }
    guard setRawMode() else { return false }
    write(Array(Self.enterSequence.utf8))
    return true
  }

  /// Gives the screen back as it was.
  ///
  /// Harmless when it was never taken.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    write(Array(Self.leaveSequence.utf8))
    tcsetattr(input, TCSANOW, &savedMode)
    csystem_terminal_disarm()
  }

  private func setRawMode() -> Bool {
    var mode = savedMode
    cfmakeraw(&mode)
    // A line end from a message that slips out should still begin at the left.
    mode.c_oflag |= tcflag_t(OPOST)
    return tcsetattr(input, TCSADRAIN, &mode) == 0
  }

  /// Writes all bytes; false where the terminal is gone, or the program should end instead of waiting for it.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    var waits = 0
    while written < bytes.count {
      let result = bytes.withUnsafeBytes { writeOnce(output, UnsafeRawBufferPointer(rebasing: $0[written...])) }
      switch result {
      case .moved(let count): written += count
      case .interrupted: if csystem_signal_ending() != 0 { return false }
      case .wouldBlock:
        waits += 1
        guard waits <= Self.maxWaits else { return false }
        _ = waitUntilReady(output, events: Int32(POLLOUT), milliseconds: 100)
      case .closed, .failed: return false
      }
    }
    return true
  }
}
