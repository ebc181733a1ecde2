import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The making of a child with its pipes.
enum Launch {
  /// Starts a program on the calling thread, which must live as long as the child; the guard is told of it by its pipe, where
  /// there is one.
  static func run(
    _ program: Program, hasInput: Bool, logName: String?, guardedBy guardWriter: Int32
  ) throws(StartFault) -> ChildProcess {
    var ours: [Int32] = []
    var theirs: [Int32] = []
    func closeAll(_ descriptors: [Int32]) {
      for descriptor in descriptors { _ = close(descriptor) }
    }
    for number in 0...2 {
      guard let ends = number == 0 && !hasInput ? nullInput() : pipe(readByUs: number > 0) else {
        let failure = errno
        closeAll(ours + theirs)
        throw StartFault("Cannot start \"\(program.name)\"", errno: failure)
      }
      ours.append(ends.ours)
      theirs.append(ends.theirs)
    }
    defer { closeAll(theirs) }
    do throws(StartFault) {
      let id = try start(program, theirs, guardWriter)
      return ChildProcess(program, id: id, input: ours[0], output: ours[1], errors: ours[2], logName: logName)
    } catch {
      closeAll(ours)
      throw error
    }
  }

  private static func pipe(readByUs: Bool) -> (ours: Int32, theirs: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { return nil }
    let ours = readByUs ? ends[0] : ends[1]
    _ = fcntl(ours, F_SETFL, O_NONBLOCK)
    return (ours, readByUs ? ends[1] : ends[0])
  }

  private static func nullInput() -> (ours: Int32, theirs: Int32)? {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null < 0 { return nil }
    if null > 2 { return (-1, null) }
    let moved = fcntl(null, F_DUPFD_CLOEXEC, 3)
    _ = close(null)
    return moved < 0 ? nil : (-1, moved)
  }

  private static func start(
    _ program: Program, _ descriptors: [Int32], _ guardWriter: Int32
  ) throws(StartFault) -> pid_t {
    let arguments = CStrings(program.arguments)
    let environment = CStrings(program.environment)
    let path = CStrings([program.path])
    let directory = CStrings(program.directory.map { [$0] } ?? [])
    var step = CSYSTEM_START_PROCESS
    var call = csystem_program(
      path: path.first, arguments: arguments.pointers, environment: environment.pointers, directory: directory.first,
      descriptors: (descriptors[0], descriptors[1], descriptors[2]), guard: guardWriter)
    let (id, failure) = withExtendedLifetime((arguments, environment, path, directory)) {
      let id = csystem_start(&call, &step)
      return (id, errno)
    }
    if id < 0 { throw StartFault(program, at: step, errno: failure) }
    return id
  }
}

/// Strings as C has them: a list of pointers that ends with a null one, valid as long as this lives.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [[UInt8]]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count + 1)
      for (place, byte) in string.enumerated() { (copy + place).initialize(to: CChar(bitPattern: byte)) }
      (copy + string.count).initialize(to: 0)
      (pointers + index).initialize(to: copy)
    }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { pointers[index]?.deallocate() }
    pointers.deallocate()
  }

  var first: UnsafePointer<CChar>? { pointers[0].map { UnsafePointer($0) } }
}
