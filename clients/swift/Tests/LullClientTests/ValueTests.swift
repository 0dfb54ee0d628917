import Foundation
import Support
import Testing

@testable import LullClient

/// Values are the JSON of openapi.yaml.
struct ValueTests {
    struct Example: Decodable {
        let name: String
        let json: String
    }

    /// The examples of openapi.yaml: those of bodies by operation, in the order of the document.
    static func examples() throws -> [Example] {
        let output = Pipe()
        let process = Process()
        process.executableURL = World.root.appending(path: ".venv/bin/python")
        process.arguments = [
            World.root.appending(path: "clients/swift/Generator/examples.py").path
        ]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([Example].self, from: bytes)
    }

    @Test func everyExampleDecodesAndEncodesToTheSame() throws {
        let examples = try ValueTests.examples()
        #expect(examples.count > 90)
        for example in examples {
            let type = try #require(bodyTypes[example.name], "no type for \(example.name)")
            try check(type, example)
        }
    }

    private func check(_ type: (some Codable & Sendable).Type, _ example: Example) throws {
        let value: any Codable
        do {
            value = try JSONForm.read(type, from: Data(example.json.utf8))
        } catch {
            Issue.record("\(example.name): \(error)")
            return
        }
        let written = try JSONForm.read(JSONValue.self, from: try JSONForm.written(value))
        let given = try JSONForm.read(JSONValue.self, from: Data(example.json.utf8))
        // A member that is null counts as absent, but in a patch, where it takes a value away.
        let isPatch = example.name.hasPrefix("change") && example.name.hasSuffix("request")
        #expect(
            ValueTests.plain(written, keepsNull: isPatch)
                == ValueTests.plain(given, keepsNull: isPatch), "\(example.name)")
    }

    /// JSON with instants in one form and, unless they count, without members that are null.
    static func plain(_ value: JSONValue, keepsNull: Bool) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.filter { keepsNull || $0.value != .null }
                    .mapValues { plain($0, keepsNull: keepsNull) })
        case .array(let items): .array(items.map { plain($0, keepsNull: keepsNull) })
        case .string(let text): .string(Instant.date(text).map(Instant.text) ?? text)
        default: value
        }
    }

    @Test func aChangeToNullIsWrittenAndOneLeftOutIsNot() throws {
        let patch = DownloadPatch(priority: .set(0.9), filename: .remove)
        #expect(try text(patch) == #"{"filename":null,"priority":0.9}"#)
        let new = NewDownload(url: "https://a.example/", destination: .remove)
        #expect(try text(new) == #"{"destination":null,"url":"https://a.example/"}"#)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONForm.written(value), as: UTF8.self)
    }

    @Test(arguments: [
        ("2026-11-21T10:00:00.200Z", "2026-11-21T10:00:00.200Z"),
        ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z"),
        ("2026-11-21T12:30:00.5+02:30", "2026-11-21T10:00:00.500Z"),
        ("2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"),
        ("2000-03-01t00:00:00z", "2000-03-01T00:00:00.000Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ("1900-03-01T00:00:00.001Z", "1900-03-01T00:00:00.001Z"),
    ])
    func instantsAreThoseOfRFC3339(text: String, written: String) throws {
        #expect(Instant.text(try #require(Instant.date(text))) == written)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:00:00", "2026-13-21T10:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21 10:00:00Z", "2026-11-21T10:00:00.Zx", "2026-11-21T10:00:00+0100",
    ])
    func otherTextsAreNoInstants(text: String) {
        #expect(Instant.date(text) == nil)
    }

    @Test func aWordThatIsNotKnownIsKept() throws {
        let state = try JSONForm.read(DownloadState.self, from: Data(#""resting""#.utf8))
        #expect(state.rawValue == "resting")
        #expect(state != .waiting)
    }
}
