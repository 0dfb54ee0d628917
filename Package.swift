// swift-tools-version: 6.2
// Lull: downloads in the background of your servers. The targets stand in the order of a job's story;
// a target exists only because its list of allowed imports differs (Tests/Tidy holds the table).
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func source(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "lull",
    products: [.executable(name: "lull", targets: ["lull"])],
    targets: [
        // Sockets in, requests out: POSIX sockets and Dispatch.
        source("HTTPServer", ["Base", "HTTPWire", "Platform", "CPlatform"]),
        // Bytes <-> HTTP values; pure.
        source("HTTPWire", ["Base"]),
        // A request validated and answered.
        source(
            "API",
            [
                "Base", "Compression", "Downloads", "Embedded", "Scheduling", "HTTPWire", "Store",
                "Crypto", "Platform",
            ]),
        // openapi.yaml, the migrations and the files of the page, compiled in.
        source("Embedded", ["CEmbedded"]),
        .target(name: "CEmbedded", exclude: ["page"]),
        // Values without a product noun: JSON, times, texts, addresses, identifiers; pure.
        source("Base"),
        // What a download is, and what its bytes may do; pure.
        source("Downloads", ["Base"]),
        // When a download may run; pure.
        source("Scheduling", ["Base", "Downloads"]),
        // Our SQL: submit, claim, record, outbox, query, migrate.
        source(
            "Store",
            ["Base", "Downloads", "Embedded", "Scheduling", "Crypto", "Postgres", "Platform"]),
        // Performs what Downloads and Scheduling decide.
        source(
            "Worker",
            [
                "Base", "Downloads", "Scheduling", "Store", "Transfers", "Content", "Crypto",
                "Feeds", "ObjectStores", "Platform",
            ]),
        // The commands that talk to a running service, and the command line of all.
        source("Client", ["CCurl", "Base", "Downloads", "Crypto", "HTTPWire", "Platform"]),
        // A client of object stores: signatures, uploads in parts, conditions.
        source(
            "ObjectStores",
            ["Base", "Crypto", "Downloads", "Platform", "Scheduling", "Transfers", "XML"]),
        // Bytes of feeds to items with files.
        source("Feeds", ["Base", "Compression", "Downloads", "XML"]),
        // libcurl: loop, handles, engine.
        source("Transfers", ["CCurl", "CPlatform", "Base", "Downloads", "Scheduling", "Platform"]),
        // Crash-safe files, and reading them back.
        source("Content", ["Base", "Downloads", "Crypto", "Platform", "CPlatform"]),
        // Outbox -> signed delivery.
        source("Webhooks", ["Base", "Downloads", "Store", "Transfers", "Crypto", "Platform"]),
        // libpq; knows no table of ours. Also starts the embedded server.
        source("Postgres", ["CPostgres", "Platform"]),
        // libcrypto.
        source("Crypto", ["CCrypto", "Platform"]),
        // libexpat, and iconv of the C library.
        source("XML", ["CExpat", "CIconv"]),
        // zlib.
        source("Compression", ["CZlib"]),
        // Linux and Dispatch; no product noun in here.
        source("Platform", ["CPlatform"]),
        // C headers: module maps, shims for variadics and macros only.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CIconv"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CPlatform"),
        // The program: configuration and wiring, no decisions.
        .executableTarget(
            name: "lull",
            dependencies: [
                "API", "Client", "Compression", "Content", "Base", "Downloads", "Scheduling",
                "Crypto", "Embedded", "Feeds", "HTTPServer", "HTTPWire", "ObjectStores", "Platform",
                "Postgres", "Store", "Transfers", "Webhooks", "Worker", "XML",
            ],
            swiftSettings: strict),

        // Random numbers of seeded tests.
        .target(name: "Seeds", path: "Tests/Seeds", swiftSettings: strict),
        // Values of Downloads as trees of JSON, for tests to look into.
        .target(
            name: "Trees", dependencies: ["Base", "Downloads"], path: "Tests/Trees",
            swiftSettings: strict),
        // What several tests share: a scripted origin, a throw-away database. Never a dependency of Sources.
        .target(
            name: "Support",
            dependencies: ["Store", "Postgres", "Platform", "CPlatform", "CPostgres", "CZlib"],
            path: "Tests/Support", swiftSettings: strict),
        // A second place for content, for tests of the seam: objects in a store that loses answers.
        .target(
            name: "Places", dependencies: ["Base", "Content", "Crypto", "Downloads", "Platform"],
            path: "Tests/Places", swiftSettings: strict),
        // Raw replies against the engine: a part of the tests, and all there is to `scripts/fuzz replies`.
        .target(
            name: "Replies", dependencies: ["Base", "Downloads", "Seeds", "Transfers", "Support"],
            path: "Tests/Fuzz/Replies", swiftSettings: strict),
        .executableTarget(
            name: "ReplyFuzz", dependencies: ["Replies"], path: "Tests/Fuzz/ReplyFuzz",
            swiftSettings: strict),
        test("CoreTests", ["Base", "Downloads", "Scheduling", "PolicyWorlds", "Seeds", "Trees"]),
        test("HTTPWireTests", ["HTTPWire", "Seeds"]),
        test("HTTPServerTests", ["HTTPServer", "HTTPWire", "Platform", "Support"]),
        test(
            "APITests",
            [
                "API", "Base", "Downloads", "Scheduling", "Crypto", "HTTPServer", "HTTPWire",
                "Platform", "Store",
                "Postgres",
                "Seeds", "Support",
            ]),
        test(
            "StoreTests",
            [
                "Store", "Base", "Downloads", "Scheduling", "Platform", "Postgres", "Seeds",
                "Support", "Trees",
            ]),
        test(
            "TransfersTests",
            ["Transfers", "Base", "Downloads", "Scheduling", "Platform", "Replies", "Support"]),
        test(
            "ObjectStoresTests",
            [
                "ObjectStores", "Base", "Crypto", "Downloads", "Platform", "Seeds", "Transfers",
                "Support",
            ]),
        .testTarget(
            name: "FeedsTests",
            dependencies: [
                "Feeds", "Base", "Downloads", "Compression", "Scheduling", "Seeds", "XML",
            ],
            exclude: ["Table"], swiftSettings: strict),
        test("ClientTests", ["Client", "Base", "Seeds"]),
        test(
            "ContentTests",
            ["Content", "Base", "Downloads", "Platform", "Places", "Crypto", "CPlatform"]),
        test("PostgresTests", ["Postgres", "Platform", "Seeds", "Support"]),
        test("CryptoTests", ["Crypto"]),
        test("CompressionTests", ["Compression", "Seeds", "Support"]),
        test(
            "WebhooksTests",
            [
                "Webhooks", "Base", "Downloads", "Scheduling", "Crypto", "Platform", "Postgres",
                "Store", "Transfers",
                "Support",
            ]),
        test(
            "WorkerTests",
            [
                "Worker", "ObjectStores", "Base", "Downloads", "Scheduling", "Store", "Content",
                "Transfers",
                "Crypto", "Platform",
                "Postgres",
                "Webhooks", "Places", "Support", "Trees",
            ]),
        test("EndToEnd", ["Support"]),
        // Replicas over a model of the store, with all that may go wrong between them.
        .target(
            name: "Simulation", dependencies: ["Base", "Downloads", "Scheduling", "Seeds"],
            path: "Tests/Simulation/World",
            swiftSettings: strict),
        // Rules, conditions, lanes and clocks of random worlds, and what always holds in them.
        .target(
            name: "PolicyWorlds", dependencies: ["Base", "Downloads", "Scheduling", "Simulation"],
            path: "Tests/Simulation/Policy", swiftSettings: strict),
        .executableTarget(
            name: "Simulate", dependencies: ["Simulation", "PolicyWorlds"],
            path: "Tests/Simulation/Program", swiftSettings: strict),
        .testTarget(
            name: "SimulationTests", dependencies: ["Simulation", "PolicyWorlds"],
            path: "Tests/Simulation/Tests", swiftSettings: strict),
        test("Tidy", []),
        // A simulated fortnight: the engine beside other ways to choose, and beside bounds.
        .executableTarget(
            name: "Fortnight", dependencies: ["Base", "Downloads", "Scheduling", "Seeds"],
            path: "Tests/Fortnight",
            exclude: ["bounds.py", "bounds.json"], swiftSettings: strict),
        test("FortnightTests", ["Fortnight"]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Support"], path: "Tests/Benchmarks",
            exclude: ["Preload"], swiftSettings: strict),
    ]
)
