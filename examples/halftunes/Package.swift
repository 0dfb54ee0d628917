// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "halftunes",
    dependencies: [.package(path: "../../clients/swift")],
    targets: [
        .executableTarget(
            name: "HalfTunes",
            dependencies: [.product(name: "LullURLSession", package: "swift")],
            resources: [.copy("page")]),
    ]
)
