// swift-tools-version: 6.3
// Libraries hold all logic and are ordered bottom up; executables only wire them together. No test target may depend on
// an executable: the release binary is linked statically, and that flag would spread to the test bundle.
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

let package = Package(
  name: "pagewire",
  products: [
    .executable(name: "pagewire", targets: ["pagewire"]),
    .library(name: "PagewireClient", targets: ["PagewireClient"]),
  ],
  targets: [
    // Bottom: know nothing of each other.
    .target(name: "PaginationCore", swiftSettings: strict),
    .target(name: "JSONText", swiftSettings: strict),
    .target(name: "CSystem", cSettings: strictC),

    // Middle: protocol and data.
    .target(name: "JSONRPCTransport", dependencies: ["JSONText"], swiftSettings: strict),
    .target(name: "PageSources", dependencies: ["JSONText", "CSystem"], swiftSettings: strict),

    // Top: the server, and what talks to one.
    .target(
      name: "PagewireServer",
      dependencies: ["PaginationCore", "JSONText", "JSONRPCTransport", "PageSources", "CSystem"],
      swiftSettings: strict),
    .target(name: "PagewireClient", dependencies: ["JSONText", "JSONRPCTransport", "CSystem"], swiftSettings: strict),
    .target(name: "PagewireBrowse", dependencies: ["PagewireClient", "JSONText", "CSystem"], swiftSettings: strict),

    .executableTarget(
      name: "pagewire", dependencies: ["PagewireServer", "PagewireBrowse"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))]),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "PaginationCoreTests", dependencies: ["PaginationCore", "TestSupport"], swiftSettings: strict),
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
      name: "PagewireClientTests", dependencies: ["PagewireClient", "PagewireBrowse", "JSONText", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
