// One row of a table of an origin's behaviours, and what has to come of it.
import Core
import Store
import Support
import Synchronization
import Testing

@testable import Worker

/// An origin's behaviour towards one download, and its end.
struct Row: Sendable, CustomTestStringConvertible {
    /// What the download was made with.
    var members = JSONObject()
    /// The row's name.
    let name: String
    /// The answer to the request with that number, counted from 0.
    let answer: @Sendable (OriginRequest, Int) -> [OriginStep]

    /// The state that it comes to.
    var state = DownloadState.succeeded
    /// The published bytes.
    var bytes: [UInt8]?
    /// Where each request began; nil without a Range.
    var ranges: [Int?]
    /// The last request's If-Range.
    var ifRange: String?
    /// Attempts made.
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
    /// Bytes kept at the end.
    var kept: Int64?
    /// `content.length_verified`.
    var isVerified = true

    var testDescription: String { name }

    /// A row that succeeds at the second attempt unless something else is said.
    init(
        _ name: String, ranges: [Int?],
        _ answer: @escaping @Sendable (OriginRequest, Int) -> [OriginStep]
    ) {
        self.name = name
        self.ranges = ranges
        self.answer = answer
    }

    /// The same row with other expectations.
    func with(_ change: (inout Row) -> Void) -> Row {
        var row = self
        change(&row)
        return row
    }

    /// Runs it through a whole worker.
    func run() async throws {
        let count = Mutex(0)
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 3 },
            { request in
                let number = count.withLock { count in
                    count += 1
                    return count - 1
                }
                return answer(request, number)
            }
        ) { replica, origin in
            let id = try await replica.submit(origin.url("/file.bin"), members)
            let record = try await replica.reached(state, id)
            let isIdle = try await eventually { await replica.worker.runningCount == 0 }
            #expect(isIdle)
            #expect(origin.requests.map(\.rangeStart) == ranges)
            #expect(origin.requests.last?["if-range"] == ifRange)
            #expect(origin.requests.allSatisfy { $0["accept-encoding"] == "identity" })
            try await check(record, replica)
        }
    }

    private func check(_ record: DownloadRecord, _ replica: Replica) async throws {
        let result = record.download.result
        let tried = try await replica.attempts(record.download.id)
        #expect(tried.count == attempts)
        #expect(result["resume"]?["outcome"]?.stringValue == outcome)
        #expect(result["resume"]?["reason"]?.stringValue == reason)
        let detail = try #require(tried.last).detail
        #expect(detail["bytes_discarded"] == .integer(discarded))
        #expect(detail["discard_reason"]?.stringValue == reason)
        #expect(detail["resumed_from"] == .integer(resumedFrom))
        #expect(result["error"]?["code"]?.stringValue == code)
        #expect(detail["error"]?["code"]?.stringValue == code)
        if let kept { #expect(record.download.bytesReceived == kept) }
        let isPart = try replica.lab.files().contains { $0.hasSuffix(".part") }
        #expect(isPart == (kept ?? 0 > 0), "a part file is there when bytes are kept, else not")
        guard state == .succeeded else { return }
        #expect(try replica.file(record) == bytes)
        #expect(result["content"]?["length_verified"] == .bool(isVerified))
        if let bytes { #expect(result["content"]?["sha256"] == .string(sha256(bytes))) }
    }
}
