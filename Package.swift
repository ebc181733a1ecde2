// swift-tools-version: 6.3
// Libraries hold all logic and are ordered bottom up; executables only wire them together. No test target may depend on
// an executable: the release binary is linked statically, and that flag would spread to the test bundle.
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

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
// and of the server itself, 1.61 times and 7.4 MB so; 1.53 times and 7.2 MB with the toolchain's own linker (lld) and without
// the table of all symbols that the driver asks for, which nobody looks up.
// -static-executable is not used: dlopen (libcurl, libsqlite3) from it asks for the very glibc it was built with. The line
// before it is no flag: an `@main` type, an actor or a task anywhere in the server links the concurrency library and
// Dispatch and runs their initialisers; top-level code in main.swift does not. The driver names -lstdc++ itself and has no
// option for the archive, so Sources/pagewire/Link holds a linker script of that name. `-s` strips; PAGEWIRE_SYMBOLS=1 in
// the environment keeps the names, for profiles.
let serverLinking: [String] = {
  var flags = ["-static-stdlib", "-Xclang-linker", "-no-pie", "-use-ld=lld", "-Xlinker", "--no-export-dynamic"]
  if hasStaticCXXLibrary() {
    flags += ["-L\(Context.packageDirectory)/Sources/pagewire/Link", "-Xclang-linker", "-static-libgcc"]
  }
  if Context.environment["PAGEWIRE_SYMBOLS"] == nil { flags += ["-Xlinker", "-s"] }
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
    .target(name: "PaginationCore", swiftSettings: strict),
    .target(name: "CJSONMarks", cSettings: strictC),
    .target(name: "JSONText", dependencies: ["CJSONMarks"], swiftSettings: strict),
    .target(name: "CSystem", cSettings: strictC),
    .target(name: "CProtocolText", cSettings: strictC),

    // Drives the core with random front ends and sources, and checks every promise after every event.
    .target(name: "PaginationSimulator", dependencies: ["PaginationCore"], swiftSettings: strict),
    .executableTarget(name: "pagewire-simulate", dependencies: ["PaginationSimulator"], swiftSettings: strict),

    // Middle: protocol and data.
    .target(name: "JSONRPCTransport", dependencies: ["JSONText"], swiftSettings: strict),
    .target(name: "PageSources", dependencies: ["JSONText", "JSONRPCTransport", "CSystem"], swiftSettings: strict),

    // Top: the server, and what talks to one.
    .target(
      name: "PagewireServer",
      dependencies: ["PaginationCore", "JSONText", "JSONRPCTransport", "PageSources", "CSystem"],
      swiftSettings: strict),
    .target(name: "PagewireClient", dependencies: ["JSONText", "JSONRPCTransport", "CSystem"], swiftSettings: strict),
    // Beside the client and not in it: the server, of which `browse` is a part, must not link the concurrency library.
    .target(
      name: "PagewireAsync", dependencies: ["PagewireClient", "JSONText", "CSystem"], swiftSettings: strict),
    .target(name: "PagewireBrowse", dependencies: ["PagewireClient", "JSONText", "CSystem"], swiftSettings: strict),

    .target(
      name: "PagewireReplay", dependencies: ["PagewireClient", "JSONText", "JSONRPCTransport", "CSystem"],
      swiftSettings: strict),

    .executableTarget(
      name: "pagewire",
      dependencies: ["PagewireServer", "PagewireBrowse", "PagewireReplay", "CProtocolText", "CSystem"],
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
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: strict),
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
