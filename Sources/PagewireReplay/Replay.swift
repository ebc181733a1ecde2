import CSystem
import JSONText
import PagewireClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private let help = """
  usage: pagewire replay [options] TRANSCRIPT... [-- SERVER ARGUMENT...]
         pagewire replay --serve TRANSCRIPT [--looks FOLDER]

  Plays transcripts (files, pages or folders) against a server, this one if none is named, and reports the first
  difference of each. With --serve it plays the server on stdin and stdout, so that a front end can be tested.

  options:
    --chunk BYTES     write so many bytes at a time
    --sources A,B     skip transcripts that use other source types
    --negative        every transcript must fail, with its mustFail in the report
    --provider        the command is a provider; play only what is for one
    --serve           play the server's side
    --looks FOLDER    with --serve: where a test is told what to look at, and how it ended (protocol/conformance)
    --help

  exit status: 0 all as expected, 1 a difference, 2 unusable input

  """

/// Runs `pagewire replay` with what followed that word; the result is the exit status.
///
/// - Parameter serverExecutable: the server that is played against where the arguments name none.
public func run(arguments: [String], serverExecutable: String) -> Int32 {
  do throws(Transcript.Unusable) {
    let options = try ReplayOptions(arguments, serverExecutable: serverExecutable)
    if options.wantsHelp {
      put(help, to: 1)
      return 0
    }
    return options.serves ? try serve(options) : try playAll(options)
  } catch {
    put("pagewire replay: \(error.message)\n", to: 2)
    return 2
  }
}

private func put(_ text: String, to descriptor: Int32) {
  let bytes = Array(text.utf8)
  _ = csystem_write_all(descriptor, bytes, bytes.count)
}

private func serve(_ options: ReplayOptions) throws(Transcript.Unusable) -> Int32 {
  signal(SIGPIPE, SIG_IGN)
  var found: [Transcript] = []
  for path in options.paths { found += try Transcript.read(path) }
  guard found.count == 1, let transcript = found.first else {
    throw Transcript.Unusable(message: "--serve plays one transcript, and \(found.count) were named")
  }
  guard transcript.isForFrontEnd else {
    let report = ServerPlayer.play(transcript, reading: 0, writing: 1)
    tell(report, of: transcript, in: options.looks)
    return report == nil ? 0 : 1
  }
  let (report, status) = FrontEndPlayer.play(transcript, reading: 0, writing: 1, looksIn: options.looks)
  tell(report, of: transcript, in: options.looks)
  return status
}

/// Says how playing ended: a failure on standard error, and either in a file, since many front ends show neither
/// their server's words nor its status.
private func tell(_ report: String?, of transcript: Transcript, in folder: String?) {
  let failure = report.map { "FAILED \(transcript.path): \(transcript.description)\n  \($0)\n" }
  if let failure { put(failure, to: 2) }
  if let folder { _ = Files.write("\(folder)/results", Array((failure ?? "passed\n").utf8), appending: true) }
}

private func playAll(_ options: ReplayOptions) throws(Transcript.Unusable) -> Int32 {
  guard let command = ServerCommand(arguments: options.command) else {
    throw Transcript.Unusable(message: "the server command after -- is empty")
  }
  var passed = 0
  var failed = 0
  var skipped = 0
  for path in options.paths {
    for transcript in try Transcript.read(path) {
      if transcript.isForFrontEnd || transcript.isForProvider != options.isProvider || !options.has(transcript.sources)
      {
        skipped += 1
        continue
      }
      var report = try ClientPlayer.play(transcript, against: command, chunk: options.chunk)
      if options.isNegative { report = negative(report, transcript) }
      if let report {
        failed += 1
        put("FAILED \(transcript.path): \(transcript.description)\n  \(report)\n", to: 1)
      } else {
        passed += 1
      }
    }
  }
  if passed + failed + skipped == 0 {
    throw Transcript.Unusable(message: "there is no transcript in \(options.paths.joined(separator: " "))")
  }
  put("\(passed) passed, \(failed) failed, \(skipped) skipped\n", to: 1)
  return failed == 0 ? 0 : 1
}

/// What a negative transcript has to report: nil where it failed as it must.
private func negative(_ report: String?, _ transcript: Transcript) -> String? {
  guard let report else { return "it passed" }
  let wanted = Array((transcript.mustFail ?? "").utf8)
  let text = Array(report.utf8)
  let isThere = wanted.isEmpty ? false : text.indices.contains { text[$0...].starts(with: wanted) }
  return isThere ? nil : "not \"\(transcript.mustFail ?? "")\", but \(report)"
}
