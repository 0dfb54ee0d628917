// Imports point down: which target may import which.
import Foundation
import Testing

@Suite struct ImportTests {
    /// The modules that each target may import; nil means any.
    static let allowed: [String: Set<String>?] = [
        "Base": [],
        "Downloads": ["Base"],
        "Scheduling": ["Base", "Downloads"],
        "HTTPWire": ["Base"],
        "Platform": ["CPlatform", "Dispatch", "Glibc", "Synchronization"],
        "Crypto": ["CCrypto", "Platform", "Synchronization"],
        "Compression": ["CZlib"],
        "XML": ["CExpat", "CIconv"],
        "Feeds": ["Base", "Compression", "Downloads", "XML"],
        "Postgres": ["CPostgres", "Dispatch", "Glibc", "Platform", "Synchronization"],
        "Transfers": [
            "CCurl", "CPlatform", "Base", "Downloads", "Scheduling", "Dispatch", "Glibc",
            "Platform",
            "Synchronization",
        ],
        "ObjectStores": [
            "Base", "Crypto", "Downloads", "Platform", "Scheduling", "Synchronization", "Transfers",
            "XML",
        ],
        "Client": [
            "CCurl", "Base", "Downloads", "Crypto", "Glibc", "HTTPWire", "Platform",
            "Synchronization",
        ],
        "Content": [
            "CPlatform", "Base", "Downloads", "Crypto", "Dispatch", "Glibc", "Platform",
            "Synchronization",
        ],
        "Store": [
            "Base", "Downloads", "Embedded", "Scheduling", "Crypto", "Platform", "Postgres",
            "Synchronization",
        ],
        "Embedded": ["CEmbedded"],
        "API": [
            "Base", "Compression", "Downloads", "Embedded", "Scheduling", "Crypto", "HTTPWire",
            "Platform", "Store", "Synchronization",
        ],
        "HTTPServer": [
            "Base", "CPlatform", "Dispatch", "Glibc", "HTTPWire", "Platform", "Synchronization",
        ],
        "Worker": [
            "Content", "Base", "Downloads", "Scheduling", "Crypto", "Dispatch", "Feeds",
            "ObjectStores", "Platform", "Store",
            "Synchronization",
            "Transfers",
        ],
        "Webhooks": [
            "Base", "Downloads", "Crypto", "Platform", "Store", "Synchronization", "Transfers",
        ],
        "lull": nil,
    ]

    @Test func importsPointDown() throws {
        let files = try Repository.swiftFiles(in: "Sources")
        #expect(!files.isEmpty)
        expectNone(files.flatMap { Self.violations(in: $0) })
    }

    @Test func everyTargetHasItsRow() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appendingPathComponent("Sources").path)
        let shims = [
            "CCrypto", "CCurl", "CEmbedded", "CExpat", "CIconv", "CPlatform", "CPostgres", "CZlib",
        ]
        let targets = Set(folders).subtracting(shims).filter { !$0.hasPrefix(".") }
        #expect(targets == Set(Self.allowed.keys))
    }

    @Test func seesImports() {
        func check(_ path: String, _ text: String) -> [String] {
            Self.violations(in: SwiftFile(path: path, text: text))
        }
        #expect(check("Sources/Base/A.swift", "import Swift\n").count == 1)
        #expect(check("Sources/Base/A.swift", "// import Glibc\nlet a = \"import Glibc\"") == [])
        #expect(check("Sources/Store/A.swift", "internal import Base\npackage import Base") == [])
        #expect(check("Sources/Store/A.swift", "@testable internal import Worker").count == 1)
        #expect(check("Sources/Store/A.swift", "import struct Glibc.stat").count == 1)
        #expect(check("Sources/Unknown/A.swift", "import Base").count == 1)
        #expect(check("Sources/lull/A.swift", "import Foundation") == [])
    }

    private static func violations(in file: SwiftFile) -> [String] {
        guard let row = allowed[file.target] else {
            return ["\(file.path): the target \(file.target) is not in the table"]
        }
        guard let row else { return [] }
        return file.code.indices.compactMap { index in
            guard let module = module(importedBy: file.code[index]), !row.contains(module) else {
                return nil
            }
            return "\(file.place(index)): \(file.target) may not import \(module)"
        }
    }

    private static func module(importedBy line: Substring) -> String? {
        var words = line.split(separator: " ")
        guard let position = words.firstIndex(of: "import") else { return nil }
        words.removeFirst(position + 1)
        let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        if let first = words.first, kinds.contains(String(first)) { words.removeFirst() }
        return words.first?.split(separator: ".").first.map(String.init)
    }
}

/// Fails with one line for each violation.
func expectNone(_ violations: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        violations.isEmpty, "\n\(violations.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
}
