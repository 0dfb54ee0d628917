// Feeds as they are broken, each with what is read of it.
import Base
import Downloads
import Feeds
import Foundation
import Testing

@Suite struct FeedTableTests {
    /// A row of Table/table.json, which scripts/conformance gives to another reader as well.
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        let contentType: String?
        let url: String
        let expected: JSON

        var testDescription: String { file }
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Table")

    static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(file)))
    }

    static func rows() throws -> [Row] {
        let table = try JSON.parse(bytes(of: "table.json"))
        return try #require(table.arrayValue).map { row in
            Row(
                file: try #require(row["file"]?.stringValue),
                contentType: row["content_type"]?.stringValue,
                url: row["url"]?.stringValue ?? "https://pod.example/feeds/show.xml",
                expected: try #require(row["expect"]))
        }
    }

    @Test(arguments: try FeedTableTests.rows())
    func readsWhatTheTableSays(_ row: Row) throws {
        let bytes = try Self.bytes(of: row.file)
        let url = try SourceURL(parsing: row.url)
        let found = FeedTableTests.read(bytes, from: url, contentType: row.contentType)
        #expect(found == row.expected, "\(found.text)\n\(row.expected.text)")
    }

    @Test func everyFileHasARow() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let rows = try Self.rows()
        #expect(rows.count >= 60)
        #expect(Set(files).subtracting(["table.json"]) == Set(rows.map(\.file)))
    }

    /// A feed that is cut off anywhere is a fault with a place, never a part of a feed.
    @Test func aFeedThatIsCutOffIsAFault() throws {
        let url = try SourceURL(parsing: "https://pod.example/feeds/show.xml")
        for file in ["rss-plain.xml", "atom-plain.xml", "json-plain.json", "media-group.xml"] {
            let whole = try Self.bytes(of: file)
            let end = try #require(whole.lastIndex { $0 != 0x0a })
            for length in 0..<end {
                let found = Self.read(Array(whole[..<length]), from: url, contentType: nil)
                #expect(found["fault"] != nil, "\(file) of \(length) bytes")
                #expect(found["line"]?.integerValue ?? 0 >= 1, "\(file) of \(length) bytes")
            }
        }
    }

    /// The feed, or its fault, in the notation of the table.
    static func read(_ bytes: [UInt8], from url: SourceURL, contentType: String?) -> JSON {
        do throws(FeedFault) {
            return try FeedReader.read(bytes, from: url, contentType: contentType).told
        } catch {
            return [
                "fault": .string(error.reason.rawValue), "line": .integer(Int64(error.line)),
                "column": .integer(Int64(error.column)),
            ]
        }
    }
}

extension Feed {
    /// The feed in the notation of the table.
    fileprivate var told: JSON {
        var members: [(String, JSON)] = [
            ("format", .string(format.rawValue)), ("title", .string(title)),
            ("items", .array(items.map(\.told))),
        ]
        if !leftOut.isEmpty {
            let places = leftOut.map { left -> JSON in
                [
                    .string(left.reason.rawValue), .integer(Int64(left.line)),
                    .integer(Int64(left.column)),
                ]
            }
            members.append(("left_out", .array(places)))
        }
        if let ttl { members.append(("ttl", .integer(ttl))) }
        if !skipHours.isEmpty {
            let hours = skipHours.sorted().map { JSON.integer(Int64($0)) }
            members.append(("skip_hours", .array(hours)))
        }
        if !skipDays.isEmpty {
            let days = skipDays.sorted { $0.rawValue < $1.rawValue }
            members.append(("skip_days", .array(days.map { .string($0.shortName) })))
        }
        if isCut { members.append(("is_cut", true)) }
        return .object(JSONObject(members: members))
    }
}

extension FeedItem {
    fileprivate var told: JSON {
        [
            "guid": guid.map { .string($0) } ?? .null, "title": .string(title),
            "files": .array(
                enclosures.map { file in
                    [
                        "url": .string(file.url.description),
                        "type": file.type.map { .string($0) } ?? .null,
                        "length": file.length.map { .integer($0) } ?? .null,
                    ]
                }),
            "date": date.map { .string($0.rfc3339) } ?? .null,
        ]
    }
}
