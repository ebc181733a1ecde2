// swift-tools-version: 6.3
// An example of a program that uses the client library of this repository as any other package would: by its product.
import PackageDescription

let package = Package(
  name: "pagewire-list",
  dependencies: [.package(name: "pagewire", path: "../../..")],
  targets: [
    .executableTarget(
      name: "pagewire-list", dependencies: [.product(name: "PagewireClient", package: "pagewire")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // The lines of README.md.
    .executableTarget(
      name: "ten-lines", dependencies: [.product(name: "PagewireClient", package: "pagewire")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
