// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "receiver",
    targets: [
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto"),
        .executableTarget(name: "Receiver", dependencies: ["CLibcrypto"]),
    ]
)
