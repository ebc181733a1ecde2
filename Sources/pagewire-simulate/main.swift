// Runs the paging core against random front ends and sources, and checks every promise after every event.
//
//   pagewire-simulate --seeds 0..100000      runs these seeds; status 1 and a minimal schedule on the first failure
//   pagewire-simulate --story SEED           tells one seed's run, step by step
//   --until-failure                          says only the failing seed and the promise, in one line

import PaginationSimulator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

func fail(_ message: String) -> Never {
  let line = Array((message + "\n").utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  exit(2)
}

func milliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
}

var seeds: Range<UInt64> = 0..<10_000
var isBrief = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--seeds":
    let ends = (arguments.popFirst() ?? "").split(separator: ".", omittingEmptySubsequences: true)
    guard ends.count == 2, let from = UInt64(ends[0]), let to = UInt64(ends[1]), from < to else {
      fail("--seeds needs FROM..TO, for example 0..10000")
    }
    seeds = from..<to
  case "--story":
    guard let seed = arguments.popFirst().flatMap({ UInt64($0) }) else { fail("--story needs a seed") }
    print(Simulator().story(seed: seed))
    exit(0)
  case "--until-failure": isBrief = true
  default: fail("unknown argument \(argument); known are --seeds FROM..TO, --story SEED, --until-failure")
  }
}

let simulator = Simulator()
let began = milliseconds()
var steps = 0
var commands = 0
for seed in seeds {
  let result = simulator.run(seed: seed)
  steps += result.steps
  commands += result.commands
  guard let violation = result.violation else { continue }
  if isBrief {
    print("seed \(seed) after \(seed - seeds.lowerBound + 1): \(violation.rule)")
  } else {
    print(simulator.report(seed: seed) ?? "seed \(seed): \(violation)")
  }
  exit(1)
}
let passed = milliseconds() - began
print("\(seeds.count) schedules, \(steps) steps, \(commands) commands, \(passed) ms: every promise kept")
