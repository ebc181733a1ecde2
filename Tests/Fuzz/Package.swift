// swift-tools-version: 6.3
// A package of its own: what it builds is instrumented, and nothing of the product needs it. See README.md, and build it
// with `python3 run.py`, which knows the options.
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A program that tries one part of Pagewire, which is in the product `part` of the main package.
func fuzzer(_ name: String, of part: String..., and others: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: "fuzz-\(name)",
    dependencies: ["FuzzDriver", "FuzzSupport"] + part.map { .product(name: $0, package: "pagewire") } + others,
    swiftSettings: strict,
    // lld, because the default linker of some systems fails on the sections of the instrumentation.
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
}

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "pagewire", path: "../..")],
  targets: [
    .target(name: "FuzzDriver"),
    .target(
      name: "FuzzSupport",
      dependencies: ["FuzzDriver", .product(name: "JSONText", package: "pagewire")], swiftSettings: strict),
    fuzzer("json", of: "JSONText", "TestSupport"),
    fuzzer("pointer", of: "JSONText"),
    fuzzer("frames", of: "JSONRPCTransport", "JSONText"),
    fuzzer("csv", of: "PageSources", "JSONText"),
    fuzzer("jsonl", of: "PageSources", "JSONText"),
    fuzzer("gzip", of: "PageSources"),
    fuzzer("link", of: "PageSources"),
    fuzzer("http", of: "PageSources", "JSONText"),
    fuzzer("sqlite", of: "PageSources", "JSONText"),
    fuzzer("resume", of: "PagewireServer", "JSONText"),
    fuzzer("messages", of: "PagewireServer", "JSONRPCTransport", "PageSources", "JSONText"),
  ],
  swiftLanguageModes: [.v6]
)
