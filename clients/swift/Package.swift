// swift-tools-version: 6.0
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "lull-swift",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LullClient", targets: ["LullClient"])
    ],
    targets: [
        .target(name: "LullClient", swiftSettings: settings),
        .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
        .testTarget(
            name: "LullClientTests", dependencies: ["LullClient", "Support"],
            swiftSettings: settings),
    ]
)
