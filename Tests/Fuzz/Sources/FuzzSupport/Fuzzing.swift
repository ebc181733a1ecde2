import FuzzDriver
import Glibc

/// What all fuzz programs share: how they start, and what a broken promise does.
public enum Fuzzing {
  /// Hands inputs to `check` until libFuzzer has had enough; the result is the exit status.
  public static func run(_ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) -> CInt {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    return LLVMFuzzerRunDriver(&count, &arguments, check)
  }

  /// The bytes of an input.
  public static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// Ends the run where a promise does not hold, with the input kept by libFuzzer.
  @inline(__always)
  public static func check(
    _ holds: @autoclosure () -> Bool, _ promise: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    if holds() { return }
    fail(promise(), file: file, line: line)
  }

  /// Ends the run.
  @inline(never)
  public static func fail(_ promise: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    let text = Array("BROKEN \(file):\(line): \(promise)\n".utf8)
    _ = text.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    abort()
  }
}
