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
        .library(name: "LullClient", targets: ["LullClient"]),
        .library(name: "LullURLSession", targets: ["LullURLSession"]),
    ],
    targets: [
        .target(name: "LullClient", swiftSettings: settings),
        .target(
            name: "LullURLSession", dependencies: ["LullClient"], swiftSettings: settings),
        .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
        // Code of apps, as people have it: Swift 5, with another import alone.
        .target(
            name: "Listings", dependencies: ["LullURLSession"], path: "Tests/Listings",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "KilledClient", dependencies: ["LullURLSession"], path: "Tests/KilledClient",
            swiftSettings: settings),
        .testTarget(
            name: "LullURLSessionTests",
            dependencies: ["LullURLSession", "LullClient", "Listings", "KilledClient", "Support"],
            swiftSettings: settings),
        .testTarget(
            name: "LullClientTests", dependencies: ["LullClient", "Support"],
            swiftSettings: settings),
    ]
)
