// swift-tools-version: 6.3
// Libraries hold all logic and are ordered bottom up; executables only wire them together. No test target may depend on
// an executable: the release binary is linked statically, and that flag would spread to the test bundle.
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

// What only the server is made of. The linker may drop what is public and not used, a function at a time, and what the server
// does not run while it serves is compiled for size.
let server = strict + releaseOnLinux(["-Xfrontend", "-internalize-at-link", "-Xfrontend", "-function-sections"])
let tool = server + releaseOnLinux(["-Osize"])

func releaseOnLinux(_ flags: [String]) -> [SwiftSetting] {
  [.unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))]
}

/// Whether this machine has the C++ library as an archive.
///
/// Debian and Ubuntu bring it with the `libstdc++` the toolchain asks for, Fedora in `libstdc++-static`. Without it the
/// server is linked to the shared one, and only starts slower.
func hasStaticCXXLibrary() -> Bool {
  #if canImport(Glibc)
    var found = glob_t()
    defer { globfree(&found) }
    return glob("/usr/lib*/gcc/*/*/libstdc++.a", 0, nil, &found) == 0
  #else
    return false
  #endif
}

// How the release server is linked on Linux. Start-up is part of the product, and most of it is decided here. Spawn to first
// answer of a program that answers one frame, against the same in C (dynamically linked), and its size:
//   dynamic Swift libraries                               3.2 times   (needs the toolchain at run time)
//   -static-stdlib                                        2.86 times  6.9 MB
//   + libstdc++ from its archive                          2.01 times  7.0 MB
//   + -no-pie (no 15,000 relocations, no pages they touch) 1.73 times 6.5 MB
//   + -static-libgcc                                      1.55 times  6.5 MB
//   + nothing that refers to Swift's concurrency library  1.43 times  5.8 MB
//   -static-executable instead                            1.15 times  6.7 MB
// and of the server itself, where C is 0.55 ms (page faults; resident memory after the first answer; size):
//   as above, with the toolchain's own linker (lld)       1.93 times  179 faults  5.4 MB  9.7 MB
//   + parts of Swift's runtime replaced (CStart)          1.75 times  170         5.2     9.6
//   + no call that brings Swift's regular expressions, the first read buffer 4 KB and not 64, the processor's features
//     asked of glibc and not of the processor, fewer types made at run time
//                                                         1.62 times  134         4.3     8.3
//   + what the start touches laid together (start.order)  1.46 times  109         3.3     8.3
//   + no tables to unwind the stack (no-unwinding.ld)     1.45 times  108         3.3     7.2
//   + libm only when one of its functions is called       1.36 times   98         3.0     7.2
//   + what is public and unused dropped, tools for size   1.33 times   93         2.7     7.1
//   + equal functions folded                              1.32 times   93         2.7     6.9
//   -static-executable instead                            1.14 times   75         2.4     9.2
// -static-executable is not used: dlopen (libcurl, libsqlite3) from it asks for the very glibc it was built with.
// An `@main` type, an actor or a task anywhere in the server links the concurrency library and Dispatch and runs their
// initialisers; top-level code in main.swift does not. The driver names -lstdc++ and -lm itself, so Sources/pagewire/Link
// holds linker scripts of those names. `-s` strips; PAGEWIRE_SYMBOLS=1 in the environment keeps the names and the tables,
// for profiles and debuggers.
let serverLinking: [String] = {
  var flags = ["-static-stdlib", "-Xclang-linker", "-no-pie", "-use-ld=lld", "-Xlinker", "--no-export-dynamic"]
  if hasStaticCXXLibrary() {
    flags += ["-L\(Context.packageDirectory)/Sources/pagewire/Link", "-Xclang-linker", "-static-libgcc"]
  }
  let folder = "\(Context.packageDirectory)/Sources/pagewire/Link"
  flags += ["-Xlinker", "--symbol-ordering-file=\(folder)/start.order", "-Xlinker", "--no-warn-symbol-ordering"]
  if Context.environment["PAGEWIRE_SYMBOLS"] == nil {
    flags += ["-Xlinker", "-s", "-Xlinker", "-T", "-Xlinker", "\(folder)/no-unwinding.ld", "-Xlinker", "--icf=all"]
  }
  return flags
}()

// The benchmark's C programs are floors, so they must be linked as C is: to libc and nothing else. The Swift driver links
// them, which brings the Swift runtime (4 times the start-up); without its start file nothing refers to that, and empty
// linker scripts stand for the two shared libraries it names.
let floorLinking: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-nostartfiles", "-L\(Context.packageDirectory)/Sources/pagewire-bench-answer/Link"],
    .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "pagewire",
  products: [
    .executable(name: "pagewire", targets: ["pagewire"]),
    .library(name: "PagewireClient", targets: ["PagewireClient", "PagewireAsync"]),
    // For the fuzz targets, which are a package of their own (Tests/Fuzz).
    .library(name: "JSONText", targets: ["JSONText"]),
    .library(name: "JSONRPCTransport", targets: ["JSONRPCTransport"]),
    .library(name: "PageSources", targets: ["PageSources"]),
    .library(name: "PagewireServer", targets: ["PagewireServer"]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
  ],
  targets: [
    // Bottom: know nothing of each other.
    .target(name: "PaginationCore", swiftSettings: server),
    .target(name: "CJSONMarks", cSettings: strictC),
    .target(name: "JSONText", dependencies: ["CJSONMarks"], swiftSettings: strict),
    .target(name: "CSystem", cSettings: strictC),
    .target(name: "CProtocolText", cSettings: strictC),
    .target(name: "CStart", cSettings: strictC),

    // Drives the core with random front ends and sources, and checks every promise after every event.
    .target(name: "PaginationSimulator", dependencies: ["PaginationCore"], swiftSettings: strict),
    .executableTarget(name: "pagewire-simulate", dependencies: ["PaginationSimulator"], swiftSettings: strict),

    // Middle: protocol and data.
    .target(name: "JSONRPCTransport", dependencies: ["JSONText"], swiftSettings: strict),
    .target(name: "PageSources", dependencies: ["JSONText", "JSONRPCTransport", "CSystem"], swiftSettings: server),

    // Top: the server, and what talks to one.
    .target(
      name: "PagewireServer",
      dependencies: ["PaginationCore", "JSONText", "JSONRPCTransport", "PageSources", "CSystem"],
      swiftSettings: server),
    .target(name: "PagewireClient", dependencies: ["JSONText", "JSONRPCTransport", "CSystem"], swiftSettings: strict),
    // Beside the client and not in it: the server, of which `browse` is a part, must not link the concurrency library.
    .target(
      name: "PagewireAsync", dependencies: ["PagewireClient", "JSONText", "CSystem"], swiftSettings: strict),
    .target(name: "PagewireBrowse", dependencies: ["PagewireClient", "JSONText", "CSystem"], swiftSettings: tool),

    .target(
      name: "PagewireReplay", dependencies: ["PagewireClient", "JSONText", "JSONRPCTransport", "CSystem"],
      swiftSettings: tool),

    .executableTarget(
      name: "pagewire",
      dependencies: ["PagewireServer", "PagewireBrowse", "PagewireReplay", "CProtocolText", "CStart", "CSystem"],
      exclude: ["Link"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(serverLinking, .when(platforms: [.linux], configuration: .release))]),

    // The benchmark and what it measures against.
    .target(name: "CBenchSupport", cSettings: strictC),
    // Depends on the programs it measures only so that one command builds them all.
    .executableTarget(
      name: "pagewire-bench",
      dependencies: [
        "CBenchSupport", "pagewire", "pagewire-bench-noop", "pagewire-bench-answer", "pagewire-bench-echo",
        "pagewire-bench-parse", "pagewire-bench-server",
      ],
      exclude: ["README.md", "growth.md", "Peers", "Plots"], swiftSettings: strict),
    .executableTarget(
      name: "pagewire-bench-answer", exclude: ["Link"], cSettings: strictC, linkerSettings: floorLinking),
    .executableTarget(name: "pagewire-bench-echo", cSettings: strictC, linkerSettings: floorLinking),
    .executableTarget(name: "pagewire-bench-parse", cSettings: strictC, linkerSettings: floorLinking),
    .executableTarget(name: "pagewire-bench-server", cSettings: strictC, linkerSettings: floorLinking),
    // Without a C library, and so without anything to load.
    .executableTarget(
      name: "pagewire-bench-noop", cSettings: strictC,
      linkerSettings: floorLinking + [
        .unsafeFlags(
          ["-Xclang-linker", "-nostdlib", "-Xclang-linker", "-no-pie"],
          .when(platforms: [.linux], configuration: .release))
      ]),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "PaginationCoreTests", dependencies: ["PaginationCore", "PaginationSimulator", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "JSONTextTests", dependencies: ["CJSONMarks", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "JSONRPCTransportTests", dependencies: ["JSONRPCTransport", "JSONText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PageSourcesTests", dependencies: ["PageSources", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PagewireServerTests",
      dependencies: ["PagewireServer", "PaginationCore", "JSONText", "JSONRPCTransport", "PageSources", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PagewireClientTests",
      dependencies: ["PagewireClient", "PagewireAsync", "PagewireBrowse", "JSONText", "CSystem", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
