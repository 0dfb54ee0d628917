// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "receiver",
    dependencies: [.package(path: "../../clients/swift")],
    targets: [
        .executableTarget(
            name: "Receiver", dependencies: [.product(name: "LullClient", package: "swift")])
    ]
)
