// Compressed files: what comes out in one go, in pieces, and from a copy of a stream is the same, and never too much at once.
import FuzzSupport
import Glibc

@testable import PageSources

/// One file in memory for all inputs.
let descriptor = shm_open("/pagewire-fuzz-\(getpid())", O_RDWR | O_CREAT, 0o600)
let path = Array("/proc/self/fd/\(descriptor)".utf8)

/// What an input holds is read up to here: a small one can hold gigabytes.
let mostOut = 1 << 20

/// All that comes out of a stream from where it stands; whether it ends well.
func drain(_ stream: GzipStream, _ file: OpenFile, forkAfter: Int, _ fork: inout GzipStream?) -> (hash: Int, ok: Bool) {
  var steps = 0
  while !stream.isAtEnd, stream.outputOffset < mostOut {
    if steps == forkAfter { fork = stream.copy() }
    steps += 1
    let before = (stream.inputOffset, stream.outputOffset)
    do throws(GzipFault) {
      try stream.advance(in: file)
    } catch {
      return (stream.outputOffset, false)
    }
    Fuzzing.check(stream.outputOffset - before.1 <= 128 << 10, "a step gives a bounded number of bytes")
    Fuzzing.check(stream.inputOffset >= before.0 && stream.inputOffset <= file.size, "it reads on, inside of the file")
    Fuzzing.check(
      (stream.inputOffset, stream.outputOffset) != before || stream.isAtEnd || steps < 4_000, "a step moves on")
  }
  return (stream.outputOffset, true)
}

/// The last bytes that a stream still has.
func tail(_ stream: GzipStream) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 4096)
  let from = max(stream.keptOffset, stream.outputOffset - 4096)
  let count = bytes.withUnsafeMutableBytes { stream.copyKept(from: from, to: $0) }
  Fuzzing.check(count == min(4096, stream.outputOffset - from), "what is kept can be had")
  return Array(bytes[..<count])
}

func checkFile(_ input: [UInt8]) {
  guard ftruncate(descriptor, 0) == 0,
    input.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == input.count
  else { Fuzzing.fail("the file cannot be written") }
  do throws(FileFault) {
    let file = try OpenFile.open(path)
    guard let stream = GzipStream.begin() else { Fuzzing.fail("there is no memory, or no zlib") }
    var fork: GzipStream?
    let (count, isGood) = drain(stream, file, forkAfter: input.count % 3, &fork)
    // Copies take most of the time, and most inputs are broken in the same few ways.
    if let fork, isGood || input.count % 8 == 0 {
      var none: GzipStream?
      let (again, isGoodAgain) = drain(fork, file, forkAfter: -1, &none)
      Fuzzing.check(again == count && isGoodAgain == isGood, "a copy of a stream gives what the stream gives")
      let own = fork.outputOffset - fork.keptOffset
      if own > 0, isGood {
        let ends = (tail(stream), tail(fork))
        Fuzzing.check(ends.0.suffix(ends.1.count).elementsEqual(ends.1), "the same bytes")
      }
    }
    if isGood, count > 0 { checkReads(file, stream) }
  } catch {
    Fuzzing.fail("the file cannot be opened: \(error)")
  }
}

/// Reads as pages do: from the start, and from places further on.
func checkReads(_ file: OpenFile, _ whole: GzipStream) {
  var limits = FileLimits()
  limits.scanBytes = 2 * mostOut
  let memory = GzipMemory()
  let wanted = tail(whole)
  let place = whole.outputOffset - wanted.count
  do throws(FileFault) {
    for offset in [place, 0, place] {
      let input = try GzipInput(file, path: path, memory: memory, limits: limits)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let read = bytes.withUnsafeMutableBytes { target in
        Result { () throws(ReadFault) in
          try input.read(into: target, at: offset, isPatient: true, cancellation: CancellationFlag())
        }
      }
      guard case .success(let part) = read else { Fuzzing.fail("what came out once does not come out again") }
      let isSame = offset != place || bytes[..<part.count].starts(with: wanted)
      Fuzzing.check(isSame, "the same bytes at the same place")
      input.finish()
    }
  } catch {
    Fuzzing.fail("the file is not the same any more: \(error)")
  }
}

shm_unlink("/pagewire-fuzz-\(getpid())")
exit(
  Fuzzing.run { start, count in
    checkFile(Fuzzing.bytes(start, count))
    return 0
  })
