// Several streams for one file: it is byte for byte right, whatever the origin does to some of the
// streams.
import Base
import Content
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite(.serialized) struct SegmentTests {
    private static let four: JSONObject = ["segments": 4]

    private func claim(
        _ lab: WorkerLab, _ origin: OriginServer, fence: Int64 = 1, resume: ResumePoint? = nil,
        id: Identifier = WorkerLab.identifier(), _ members: JSONObject = four
    ) throws -> ClaimedDownload {
        try lab.claim(origin.url("/f"), id: id, fence: fence, resume: resume, members: members)
    }

    private func expectWhole(
        _ report: AttemptReport, _ lab: WorkerLab, _ bytes: [UInt8] = SegmentLab.bytes,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let body = try #require(report.body, "\(report)", sourceLocation: sourceLocation)
        #expect(body.length == Int64(bytes.count), sourceLocation: sourceLocation)
        #expect(body.sha256 == sha256(bytes), sourceLocation: sourceLocation)
        #expect(
            try lab.bytes(of: body) == bytes, sourceLocation: sourceLocation)
    }

    /// Waits until every stream is under way and stands at its gate.
    private func allWait(_ attempt: AttemptRun) async throws {
        let piece = (SegmentLab.bytes.count - SegmentLab.head) / SegmentLab.streams
        let expected = SegmentLab.head + 3 * (piece / 2)
        #expect(try await eventually { attempt.progress.received >= expected - 3 })
    }

    @Test(arguments: [
        [0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1], [0, 3, 2, 1], [3, 0, 1, 2],
    ])
    func everyOrderOfEndsGivesTheFile(order: [Int]) async throws {
        try await SegmentLab.with { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            try await allWait(attempt)
            for piece in order {
                let before = attempt.progress.received
                file.gates[piece].open()
                #expect(try await eventually { attempt.progress.received > before + 10_000 })
            }
            try expectWhole(await running, lab)
            #expect(attempt.detail["streams"] == 4)
            let further = origin.requests.dropFirst()
            #expect(further.count == 3)
            #expect(further.allSatisfy { $0["if-range"] == "\"v1\"" })
            #expect(
                further.compactMap { $0.range?.start }.sorted() == (1...3).map(SegmentLab.start))
        }
    }

    /// A sign-in page in front of the file gives a cookie once; every stream sends it.
    @Test func streamsHaveTheCookiesOfTheirAttempt() async throws {
        try await SegmentLab.with({ file, request in
            request["cookie"] == "pass=1"
                ? file.answer(request)
                : OriginStep.answer("302 Found", headers: ["Set-Cookie: pass=1", "Location: /f"])
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            try await allWait(attempt)
            for gate in file.gates { gate.open() }
            try expectWhole(await running, lab)
            #expect(attempt.detail["streams"] == 4)
            #expect(origin.requests.map { $0["cookie"] }.filter { $0 == nil }.count == 1)
        }
    }

    /// No answer comes for any range, or a head alone: the first stream runs on to its own end,
    /// past the pieces of the silent streams, and does not wait for them.
    @Test(arguments: [true, false], [0, 1, 3])
    func silentSegmentsDoNotLoseTheFirstStream(hasHead: Bool, answered: Int) async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range else { return file.whole() }
            let piece = SegmentLab.piece(of: start)
            _ = file.note(request)
            if piece == answered, let end { return file.part(start, end, isHeld: false) }
            return (hasHead ? [.send(SegmentLab.head206(start, end ?? 99_999))] : [])
                + [.wait(gate)]
        }) { lab, file, origin in
            let members: JSONObject = ["segments": 4, "timeout_interval_for_request": 2]
            let attempt = file.attempt(lab, try claim(lab, origin, members))
            async let running = attempt.run()
            #expect(try await eventually { (1...3).allSatisfy { file.count($0) > 0 } })
            file.open()
            let report = await running
            if answered == 0 {
                try expectWhole(report, lab)
                #expect(origin.requests.filter { $0.range?.end == nil }.count == 1)
            } else if let body = report.body {
                #expect(try lab.bytes(of: body) == SegmentLab.bytes)
            } else {
                // Once a further stream has brought bytes the attempt waits for it; no bytes are
                // lost by that.
                #expect(report.kept?.offset ?? 0 >= Int64(SegmentLab.start(1)))
            }
        }
    }

    /// A stream's own digest, and the digest that it names for the whole, are compared like any
    /// other.
    @Test(arguments: ["Content-MD5", "Content-Digest sha-512", "Repr-Digest sha-256", "none"])
    func segmentDigestsAreCompared(name: String) async throws {
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range, let end, name != "none" else {
                return file.answer(request)
            }
            let isOf = name == "Repr-Digest sha-256" ? SegmentLab.garbage : [1]
            let head = SegmentLab.head206(start, end)
            return [
                .send(head.dropLast() + field(name, of: isOf) + "\r\n\r\n"),
                .sendBytes(Array(SegmentLab.bytes[start...end])),
            ]
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            if name == "none" {
                try await allWait(attempt)
            } else {
                #expect(try await eventually { attempt.progress.received > SegmentLab.start(1) })
            }
            file.open()
            let report = await running
            #expect(report.failure?.code == (name == "none" ? nil : .digestMismatch))
        }
    }

    /// Answers to a further stream that prove nothing, with bytes that must not be in the file.
    static let wrongAnswers: [@Sendable (Int, Int) -> [OriginStep]] = [
        { _, _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"v1\"\r\n\r\n"),
                .sendBytes(SegmentLab.garbage),
            ]
        },
        { start, end in
            [
                .send(SegmentLab.head206(start, end, etag: "\"v2\"")),
                .sendBytes(Array(SegmentLab.garbage[start...end])),
            ]
        },
        { start, end in
            [
                .send(SegmentLab.head206(start, end, total: 100_001)),
                .sendBytes(Array(SegmentLab.garbage[start...end])),
            ]
        },
        { start, end in
            [
                .send(SegmentLab.head206(start + 1, end)),
                .sendBytes(Array(SegmentLab.garbage[(start + 1)...end])),
            ]
        },
        { _, _ in
            [.send("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n")]
        },
        { _, _ in
            [.send("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n")]
        },
        { _, _ in [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")] },
    ]

    @Test(arguments: wrongAnswers.indices, [1, 2, 3])
    func differingSegmentAnswerLeavesOneStream(wrong: Int, piece: Int) async throws {
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range, let end,
                SegmentLab.piece(of: start) == piece
            else { return file.answer(request) }
            _ = file.note(request)
            return SegmentTests.wrongAnswers[wrong](start, end)
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            #expect(try await eventually { file.count(piece) == 1 })
            file.open()
            try expectWhole(await running, lab)
            #expect(file.count(piece) == 1, "nobody asks such an origin again")
            #expect(origin.requests.filter { $0.range?.end == nil }.count <= 2)
        }
    }

    @Test(arguments: [1, 2, 3])
    func cutSegmentIsRetriedOnce(piece: Int) async throws {
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range, let end,
                SegmentLab.piece(of: start) == piece
            else { return file.answer(request) }
            return file.note(request) == 1
                ? file.part(start, end, cutAfter: 5000, isHeld: false) : file.part(start, end)
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            #expect(try await eventually { file.count(piece) == 2 })
            file.open()
            try expectWhole(await running, lab)
            let starts = origin.requests.compactMap { $0.range?.start }
            #expect(starts.contains(SegmentLab.start(piece) + 5000))
            #expect(origin.requests.count == 5)
        }
    }

    @Test(arguments: [1, 2, 3])
    func segmentCutTwiceGoesToTheFirstStream(piece: Int) async throws {
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range, let end,
                SegmentLab.piece(of: start) == piece
            else { return file.answer(request) }
            _ = file.note(request)
            return file.part(start, end, cutAfter: 5000, isHeld: false)
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            #expect(try await eventually { file.count(piece) == 2 })
            file.open()
            try expectWhole(await running, lab)
            #expect(file.count(piece) == 2)
            // A neighbouring stream continues into the piece; for other pieces there is a request
            // to the end.
            let again = origin.requests.filter { $0["range"]?.hasSuffix("-") == true }
            #expect(again.count <= 1)
            #expect(
                again.allSatisfy { $0.range?.start == SegmentLab.start(piece) + 10_000 },
                "\(again.map { $0["range"] ?? "" })")
        }
    }

    @Test func cutFirstStreamIsContinuedByOthers() async throws {
        try await SegmentLab.with({ file, request in
            request.range == nil ? file.whole(cutAfter: 8_000) : file.answer(request)
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            try await allWait(attempt)
            file.open()
            try expectWhole(await running, lab)
            #expect(origin.requests.contains { $0.range?.start == 8_000 })
        }
    }

    @Test func idleStreamSplitsTheSlowestSegment() async throws {
        try await SegmentLab.with { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin), stealsAbove: 3_000)
            async let running = attempt.run()
            try await allWait(attempt)
            for piece in 1...3 { file.gates[piece].open() }
            // The first stream waits at its gate: its piece goes to others, half by half.
            #expect(try await eventually { origin.requests.count >= 6 })
            file.open()
            try expectWhole(await running, lab)
        }
    }

    @Test func changedSourceIsFetchedInOneStream() async throws {
        let other = SegmentLab.garbage
        try await SegmentLab.with({ file, request in
            guard let (start, end) = request.range else { return file.whole(cutAfter: 40_000) }
            guard let end, SegmentLab.piece(of: start) != 2 else {
                _ = file.note(request)
                return [
                    .send(
                        "HTTP/1.1 200 OK\r\nContent-Length: \(other.count)\r\n"
                            + "Accept-Ranges: bytes\r\nETag: \"v2\"\r\n\r\n"),
                    .sendBytes(other),
                ]
            }
            return file.part(start, end)
        }) { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            #expect(try await eventually { file.count(2) == 1 })
            file.open()
            try expectWhole(await running, lab, other)
            #expect(lab.remembered.withLock { $0 } == [nil], "the row forgets what is void")
        }
    }

    @Test(arguments: [RunOrder.suspend, .release, .cancel])
    func orderStopsAllStreams(order: RunOrder) async throws {
        try await SegmentLab.with { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            try await allWait(attempt)
            attempt.stop(order)
            let report = await running
            guard case .stopped(order, let kept) = report else {
                Issue.record("\(report)")
                return
            }
            #expect(kept?.offset == (order == .cancel ? nil : Int64(SegmentLab.head)))
            #expect(try lab.files().count == (order == .cancel ? 0 : 1))
        }
    }

    @Test func killKeepsBytesUpToTheFirstGap() async throws {
        try await SegmentLab.with { lab, file, origin in
            let id = WorkerLab.identifier()
            let attempt = file.attempt(lab, try claim(lab, origin, id: id))
            async let running = attempt.run()
            try await allWait(attempt)
            file.gates[0].open()
            file.gates[2].open()
            let half = Int64(SegmentLab.start(1) + (SegmentLab.start(2) - SegmentLab.start(1)) / 2)
            var point: ResumePoint?
            #expect(
                try await eventually {
                    await attempt.writer.settle()
                    point = await attempt.checkpoint()?.point
                    return point?.offset ?? 0 > SegmentLab.start(1) - 1
                })
            let offset = try #require(point?.offset)
            #expect(offset <= half)
            attempt.stop(.abandon)
            _ = await running
            file.open()
            let second = file.attempt(
                lab, try claim(lab, origin, fence: 2, resume: point, id: id))
            try expectWhole(await second.run(), lab)
            #expect(second.detail["resumed_from"] == .integer(offset))
            #expect(
                origin.requests.contains { $0["range"] == "bytes=\(offset)-" })
        }
    }

    @Test func downloadLimitPreventsExtraStreams() async throws {
        try await SegmentLab.with { lab, file, origin in
            let attempt = file.attempt(lab, try claim(lab, origin))
            async let running = attempt.run()
            try await allWait(attempt)
            attempt.limit(to: 100 << 20)
            file.open()
            try expectWhole(await running, lab)
            // The first stream runs on into the pieces that the others left, or asks for them.
            #expect((4...5).contains(origin.requests.count))
        }
    }

    @Test(arguments: [
        "\r\nETag: W/\"v1\"\r\nAccept-Ranges: bytes", "\r\nAccept-Ranges: bytes",
        "\r\nETag: \"v1\"", "\r\nETag: \"v1\"\r\nAccept-Ranges: none",
        "\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Encoding: gzip",
    ])
    func withoutProofThereIsOneStream(headers: String) async throws {
        let bytes = SegmentLab.bytes
        try await SegmentLab.with({ _, _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\(headers)\r\n\r\n"),
                .sendBytes(bytes),
            ]
        }) { lab, file, origin in
            try expectWhole(
                await file.attempt(lab, try claim(lab, origin)).run(), lab)
            #expect(origin.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            ["segments": 1], ["segments": 4, "max_bytes_per_second": 1_000_000_000],
        ] as [JSONObject])
    func singleStreamSettingIsRespected(members: JSONObject) async throws {
        try await SegmentLab.with { lab, file, origin in
            file.open()
            try expectWhole(
                await file.attempt(lab, try claim(lab, origin, members)).run(), lab)
            #expect(origin.requests.count == 1)
        }
    }

    @Test func withoutFreePlacesThereIsOneStream() async throws {
        try await SegmentLab.with { lab, file, origin in
            file.open()
            try expectWhole(
                await file.attempt(lab, try claim(lab, origin), room: 0).run(), lab)
            #expect(origin.requests.count == 1)
        }
    }

    @Test func digestMismatchIsRefetchedInOneStream() async throws {
        try await SegmentLab.with { lab, file, origin in
            let digest = "sha256:" + String(repeating: "0", count: 64)
            let members: JSONObject = ["segments": 4, "expected_digest": .string(digest)]
            let attempt = file.attempt(lab, try claim(lab, origin, members))
            async let running = attempt.run()
            try await allWait(attempt)
            file.open()
            let failure = try #require(await running.failure)
            #expect(failure.code == .digestMismatch && failure.isRetryable)
            let before = origin.requests.count
            let second = file.attempt(
                lab, try claim(lab, origin, fence: 2, resume: attempt.memory, members))
            #expect(try #require(await second.run().failure).isRetryable == false)
            #expect(origin.requests.count == before + 1)
        }
    }
}
