// The schema has one current text: tables in numbered files, each function once in its folder.
import Foundation
import Testing

@Suite struct SchemaTests {
    private static func files(in folder: String) throws -> [String: String] {
        let root = Repository.root.appendingPathComponent(folder).path
        var texts: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: root)
        where name.hasSuffix(".sql") {
            texts[name] = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
        }
        return texts
    }

    private static func functions(in text: String) -> [String] {
        text.matches(of: #/(?i)\bFUNCTION\s+(\w+)/#).map { String($0.output.1) }
    }

    @Test func numberedFilesMakeNoFunction() throws {
        for (name, text) in try Self.files(in: "migrations") {
            #expect(name.contains(#/^\d{4}_[a-z_]+\.sql$/#), "\(name)")
            #expect(Self.functions(in: text) == [], "\(name)")
        }
    }

    @Test func eachFunctionStandsOnce() throws {
        let names = try Self.files(in: "migrations/functions").values.flatMap(Self.functions)
        #expect(!names.isEmpty)
        #expect(names.count == Set(names).count, "\(names.sorted())")
        #expect(names.allSatisfy { $0.hasPrefix("lull_") })
    }

    /// More values go together as a composite type, whose fields have names.
    @Test func functionsHaveEightParametersAtMost() throws {
        for (name, text) in try Self.files(in: "migrations/functions") {
            for function in text.matches(of: #/CREATE FUNCTION (\w+)\(([^)]*)\)/#) {
                let given = function.output.2.split(separator: ",").filter {
                    !$0.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("OUT ")
                }
                #expect(given.count <= 8, "\(name): \(function.output.1)")
            }
        }
    }

    @Test func oneFunctionWritesEventsAndDeliveries() throws {
        var places: [String] = []
        for (name, text) in try Self.files(in: "migrations/functions") {
            places += text.matches(of: #/INSERT INTO (events|deliveries)\b/#).map { _ in name }
        }
        for file in try Repository.swiftFiles(in: "Sources") {
            places += file.lines.filter { $0.contains(#/INSERT INTO (events|deliveries)\b/#) }
                .map { _ in file.path }
        }
        // Events of downloads, events of endpoints and deliveries, and the webhooks of both.
        #expect(places == ["events.sql", "events.sql", "events.sql"])
    }

    /// Numbers of states and kinds have names in functions/codes.sql.
    @Test func functionsNameTheirCodes() throws {
        for (name, text) in try Self.files(in: "migrations/functions") {
            let numbers = text.matches(
                of: #/\b(state|kind|outcome|type|control|phase) ?(=|<>|<|>|<=|>=|IN \() ?\d/#
                    // Else `q.state` were one word.
                    .wordBoundaryKind(.simple))
            #expect(numbers.isEmpty, "\(name): \(numbers.map(\.output.0))")
            let bits = text.matches(of: #/lane_flags ?[&|\#] ?~?\d+/#)
            #expect(bits.isEmpty, "\(name): \(bits.map(\.output))")
        }
    }
}
