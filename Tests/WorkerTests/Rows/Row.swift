// One row of a table of an origin's behaviours, with the expected end of its download.
import Base
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

/// An origin's behaviour towards one download, and its end.
struct Row: Sendable, CustomTestStringConvertible {
    /// The members with which the download was created.
    var members = JSONObject()
    /// The row's name.
    let name: String
    /// The answer to the request with that number, counted from 0.
    let answer: @Sendable (OriginRequest, Int) -> [OriginStep]

    /// The requested URL, if it is not the row's folder of the origin.
    var url: String?
    /// The query that follows the path of the folder.
    var query = ""
    /// The state at the end.
    var state = DownloadState.succeeded
    /// The published bytes.
    var bytes: [UInt8]?
    /// The offset at which each request began; nil without a Range.
    var ranges: [Int?]
    /// The last request's If-Range.
    var ifRange: String?
    /// The number of attempts.
    var attempts = 2
    /// `resume.outcome` of the download; nil for none.
    var outcome: String?
    /// `resume.reason`.
    var reason: String?
    /// Bytes thrown away by the last attempt.
    var discarded: Int64 = 0
    /// The last attempt's `resumed_from`.
    var resumedFrom: Int64 = 0
    /// The code of the failure that the client sees.
    var code: String?
    /// `error.class` of the last attempt.
    var failureClass: FailureClass?
    /// The codes of all attempts, if they differ.
    var codes: [String?]?
    /// Bytes kept at the end.
    var kept: Int64?
    /// `content.length_verified`.
    var isVerified = true

    var testDescription: String { name }

    /// A row that succeeds at the second attempt unless its expectations are changed.
    init(
        _ name: String, ranges: [Int?],
        _ answer: @escaping @Sendable (OriginRequest, Int) -> [OriginStep]
    ) {
        self.name = name
        self.ranges = ranges
        self.answer = answer
    }

    /// A copy of this row with other expectations.
    func with(_ change: (inout Row) -> Void) -> Row {
        var row = self
        change(&row)
        return row
    }

    /// Runs the row through a whole worker.
    func run(maximumAttempts: Int = 3) async throws {
        try await Row.run([self], maximumAttempts: maximumAttempts)
    }

    /// Runs rows side by side through one worker; each has a folder of the origin.
    static func run(_ rows: [Row], maximumAttempts: Int = 3) async throws {
        let counts = Mutex(Array(repeating: 0, count: rows.count))
        try await Replica.with(
            change: { $0.retries.maximumAttempts = maximumAttempts },
            { request in
                guard let place = folder(of: request), rows.indices.contains(place) else {
                    return Answer.status("500 nobody's folder")
                }
                let number = counts.withLock { counts in
                    counts[place] += 1
                    return counts[place] - 1
                }
                return rows[place].answer(request, number)
            }
        ) { replica, origin in
            var ids: [Identifier] = []
            for (place, row) in rows.enumerated() {
                ids.append(
                    try await replica.submit(
                        row.url ?? origin.url("/\(place)/file.bin\(row.query)"), row.members))
            }
            for (place, row) in rows.enumerated() {
                let record = try await replica.reached(row.state, ids[place])
                let requests = origin.requests.filter { folder(of: $0) == place }
                try await row.check(record, requests, replica)
            }
        }
    }

    private static func folder(of request: OriginRequest) -> Int? {
        request.target.split(separator: "/").first.flatMap { Int($0) }
    }

    private func check(
        _ record: DownloadRecord, _ requests: [OriginRequest], _ replica: Replica
    ) async throws {
        let name = Comment(rawValue: name)
        #expect(requests.map(\.rangeStart) == ranges, name)
        #expect(requests.last?["if-range"] == ifRange, name)
        #expect(requests.allSatisfy { $0["accept-encoding"] == "identity" }, name)
        let result = record.download.result
        let tried = try await replica.attempts(record.download.id)
        let history = tried.map { "\($0.number) \($0.outcome ?? "running"): \($0.detail)" }
        #expect(tried.count == attempts, "\(name): \(history)")
        #expect(result["resume"]?["outcome"]?.stringValue == outcome, name)
        #expect(result["resume"]?["reason"]?.stringValue == reason, name)
        let detail = try #require(tried.last, name).detail
        #expect(detail["bytes_discarded"] == .integer(discarded), name)
        #expect(detail["discard_reason"]?.stringValue == reason, name)
        #expect(detail["resumed_from"] == .integer(resumedFrom), name)
        #expect(result["error"]?["code"]?.stringValue == code, name)
        #expect(detail["error"]?["code"]?.stringValue == code, name)
        if let failureClass {
            #expect(detail["error"]?["class"]?.stringValue == failureClass.rawValue, name)
        }
        if let codes {
            let all = tried.map { $0.detail["error"]?["code"]?.stringValue }
            #expect(all == codes, name)
        }
        if let kept { #expect(record.download.bytesReceived == kept, name) }
        let isPart = try replica.lab.files().contains {
            $0.hasPrefix(record.download.id.hexadecimal) && $0.hasSuffix(".part")
        }
        // A failed download has a file exactly as long as a row keeps it for a retry.
        let rows = try await replica.number(
            "SELECT count(*) FROM kept_parts WHERE id = '\(record.download.id.hexadecimal)'")
        let isKept = record.download.state == .failed ? rows == 1 : kept ?? 0 > 0
        #expect(isPart == isKept, name)
        guard state == .succeeded, record.download.state == .succeeded else { return }
        #expect(try replica.file(record) == bytes, name)
        #expect(result["content"]?["length_verified"] == .bool(isVerified), name)
        if let bytes {
            #expect(result.content?.sha256 == sha256(bytes), name)
        }
    }
}
