// Downloads that are fetched only if their content is another one than the known.
import Base
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing

@testable import Content
@testable import Worker

@Suite struct OnlyIfChangedTests {
    static let known = content(5000)
    static let other = content(5000, seed: 2)
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let notModified = [OriginStep.send("HTTP/1.1 304 Not Modified\r\n\r\n")]

    /// The answers of an origin to a download whose content is known, and its end.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// The answer to each request, by its number.
        var answers: [[OriginStep]]
        var members: JSONObject = [:]
        /// Whether the client gives validators of its own, and names no download.
        var isOwn = false
        /// Whether the known content is released when the download begins, or while the first
        /// answer comes.
        var isReleased = false
        var isReleasedMeanwhile = false
        var state = DownloadState.succeeded
        var unchanged: UnchangedProof?
        /// The bytes of the download's file; nil for none.
        var content: [UInt8]? = known
        /// Whether the first request has validators.
        var asks = true

        var testDescription: String { name }

        init(
            _ name: String, _ answers: [[OriginStep]], _ change: (inout Row) -> Void = { _ in }
        ) {
            self.name = name
            self.answers = answers
            change(&self)
        }
    }

    static let rows: [Row] = [
        Row("304", [notModified]) { $0.unchanged = .notModified },
        Row("304 with the same ETag", [[.send("HTTP/1.1 304 OK\r\nETag: W/\"v1\"\r\n\r\n")]]) {
            $0.unchanged = .notModified
        },
        Row(
            "304 with another ETag",
            [
                [.send("HTTP/1.1 304 OK\r\nETag: \"v2\"\r\n\r\n")],
                Answer.whole(other, etag: "\"v2\""),
            ]
        ) { $0.content = other },
        Row("304 of another origin", [[.send("REDIRECT")], notModified, Answer.whole(other)]) {
            $0.content = other
        },
        Row("the known bytes with another ETag", [Answer.whole(known, etag: "\"v2\"")]) {
            $0.unchanged = .sameDigest
        },
        Row("other bytes", [Answer.whole(other, etag: "\"v2\"")]) { $0.content = other },
        Row(
            "other bytes in two parts",
            [
                Answer.whole(other, etag: "\"v2\"", cutAfter: 2000),
                Answer.part(other, from: 2000, etag: "\"v2\""),
            ]
        ) { $0.content = other },
        Row("the known content was released", [Answer.whole(known)]) {
            $0.isReleased = true
            $0.asks = false
        },
        Row("the known content is released while a 304 comes", [notModified, Answer.whole(known)]) {
            $0.isReleasedMeanwhile = true
        },
        Row("a digest that only the bytes can prove", [Answer.whole(known)]) {
            $0.members = ["expected_digest": "md5:29c313e9ddaabad1243629627b01e6be"]
            $0.asks = false
            $0.unchanged = .sameDigest
        },
        Row("a demand that the known content does not meet", [notModified, Answer.whole(known)]) {
            $0.members = ["max_bytes": 4999]
            $0.state = .attentionRequired
            $0.content = nil
        },
        Row("304 to validators of the client", [notModified]) {
            $0.isOwn = true
            $0.unchanged = .notModified
            $0.content = nil
        },
        Row("200 to validators of the client", [Answer.whole(other)]) {
            $0.isOwn = true
            $0.content = other
        },
        Row("an error", [Answer.status("404 Not Found")]) {
            $0.state = .failed
            $0.content = nil
        },
    ]

    @Test(arguments: rows) func eachAnswerHasItsEnd(_ row: Row) async throws {
        let gate = OriginGate()
        let asked = Counter()
        let elsewhere = try OriginServer({ _ in row.answers[asked.next()] })
        defer { elsewhere.close() }
        try await Replica.with({ request in
            guard request.target == "/again" else {
                return Answer.whole(Self.known, etag: "\"v1\"", ["Last-Modified: \(Self.date)"])
            }
            let steps = row.answers[min(asked.next(), row.answers.count - 1)]
            if case .send("REDIRECT")? = steps.first {
                return [
                    .send(
                        "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url())\r\n"
                            + "Content-Length: 0\r\n\r\n")
                ]
            }
            return row.isReleasedMeanwhile ? [.wait(gate)] + steps : steps
        }) { replica, origin in
            defer { gate.open() }
            let first = try await replica.submit(origin.url("/known"))
            _ = try await replica.reached(.succeeded, first)
            if row.isReleased { try await release(first, replica) }
            let id = try await submit(row, knowing: first, replica, origin)
            if row.isReleasedMeanwhile {
                #expect(try await eventually { origin.requests.count == 2 })
                try await release(first, replica)
                gate.open()
            }
            let record = try await replica.reached(row.state, id)
            try expect(row, record, first, replica)
            let requests = origin.requests.filter { $0.target == "/again" }
            let tags = requests.map { $0["if-none-match"] }
            #expect((tags[0] == "\"v1\"") == row.asks, "\(tags)")
            #expect((requests[0]["if-modified-since"] == Self.date) == row.asks)
            #expect(asked.count == row.answers.count)
            // A range asks for the rest of the version that has begun to come.
            for request in requests where request["range"] != nil {
                #expect(request["if-none-match"] == nil)
            }
            // The end of the known download is forgotten after the files were shared.
            let isForgotten = try await eventually {
                try await replica.number("SELECT count(*) FROM flight_ends") == 0
            }
            #expect(isForgotten)
            #expect(try await replica.number("SELECT count(*) FROM queue WHERE state = 4") == 0)
        }
    }

    private func submit(
        _ row: Row, knowing first: Identifier, _ replica: Replica, _ origin: OriginServer
    ) async throws -> Identifier {
        var new = try replica.draft(origin.url("/again"), row.members)
        var condition = ChangeCondition(etag: "\"v1\"", lastModified: Self.date)
        if !row.isOwn {
            condition.digest = sha256(Self.known)
            condition.unchangedFrom = first
            condition.origin = try SourceURL(parsing: origin.url()).origin
            condition.isContentWanted = true
        }
        new.download.spec.condition = condition
        _ = try await replica.intake.submit(new)
        replica.worker.hint()
        return new.download.id
    }

    private func release(_ id: Identifier, _ replica: Replica) async throws {
        guard case .done = try await replica.downloads.contents.release(id, app: 1) else {
            Issue.record("not released")
            return
        }
    }

    private func expect(
        _ row: Row, _ record: DownloadRecord, _ first: Identifier, _ replica: Replica
    ) throws {
        let result = record.download.result
        if row.state == .succeeded {
            #expect(result.unchanged == row.unchanged)
            #expect(result.error == nil && result.joinedTo == nil)
        }
        guard let bytes = row.content else {
            #expect(result.content == nil)
            return
        }
        #expect(try replica.file(record) == bytes)
        #expect(result.content?.sha256 == sha256(bytes))
        let isShared = row.unchanged != nil
        #expect(result.content?.unchangedFrom == (isShared ? first : nil))
        // The next download can be asked for with the validators of this one.
        #expect(result.response?.etag != nil)
    }

    @Test func a304ThatNobodyAskedForIsAFailure() async throws {
        try await Replica.with({ _ in Self.notModified }) { replica, origin in
            let id = try await replica.submit(origin.url())
            let result = try await replica.reached(.failed, id).download.result
            #expect(result.error?.code == .httpStatus && result.error?.httpStatus == 304)
        }
    }

    /// A look of a source does without the content where it is not kept any more.
    @Test func contentThatIsNotWantedIsNotFetchedAgain() async throws {
        try await Replica.with({ request in
            request["if-none-match"] == nil ? Answer.whole(Self.known) : Self.notModified
        }) { replica, origin in
            let first = try await replica.submit(origin.url())
            _ = try await replica.reached(.succeeded, first)
            for isKept in [true, false] {
                if !isKept { try await release(first, replica) }
                var new = try replica.draft(origin.url())
                new.download.spec.condition = ChangeCondition(
                    etag: "\"v1\"", digest: sha256(Self.known), unchangedFrom: first)
                _ = try await replica.intake.submit(new)
                replica.worker.hint()
                let record = try await replica.reached(.succeeded, new.download.id)
                #expect(record.download.result.unchanged == .notModified)
                #expect(record.download.result.content?.unchangedFrom == (isKept ? first : nil))
                #expect(origin.requests.count == (isKept ? 2 : 3))
            }
        }
    }

    /// The file is on the replica that fetched it; another one asked the origin.
    @Test func theReplicaThatHasTheFileSharesIt() async throws {
        try await Replica.with({ request in
            request["if-none-match"] == nil ? Answer.whole(Self.known) : Self.notModified
        }) { replica, origin in
            let first = try await replica.submit(origin.url())
            _ = try await replica.reached(.succeeded, first)
            try await replica.besides { other in
                var ids: [Identifier] = []
                for _ in 0..<12 {
                    var new = try replica.draft(origin.url())
                    new.download.spec.condition = ChangeCondition(
                        etag: "\"v1\"", digest: sha256(Self.known), unchangedFrom: first)
                    _ = try await replica.intake.submit(new)
                    ids.append(new.download.id)
                }
                replica.worker.hint()
                other.worker.hint()
                for id in ids {
                    let record = try await replica.reached(.succeeded, id)
                    #expect(record.download.result.content?.unchangedFrom == first)
                    #expect(try replica.file(record) == Self.known)
                }
                // The end of the known download is forgotten after the files were shared.
                let isForgotten = try await eventually {
                    try await replica.number("SELECT count(*) FROM flight_ends") == 0
                }
                #expect(isForgotten)
            }
        }
    }
}

/// Counts requests from several threads.
private final class Counter: Sendable {
    private let number = Mutex(0)

    /// The requests so far.
    var count: Int { number.withLock { $0 } }

    /// The number of this request, from 0.
    func next() -> Int {
        number.withLock { number in
            defer { number += 1 }
            return number
        }
    }
}
