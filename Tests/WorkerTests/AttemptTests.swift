// One attempt against an origin that behaves: whole bodies, failures, orders.
import Base
import Content
import Downloads
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct AttemptTests {
    private func run(
        _ lab: WorkerLab, members: JSONObject = JSONObject(),
        _ script: @escaping OriginServer.Script
    ) async throws -> (report: AttemptReport, id: Identifier) {
        let origin = try OriginServer(script)
        defer { origin.close() }
        let id = WorkerLab.identifier()
        let claim = try lab.claim(origin.url("/a/file.bin?x=1"), id: id, members: members)
        return (await lab.attempt(claim).run(), id)
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 70_000, 3_000_000, 8_400_001])
    func fetchesAWholeBody(count: Int) async throws {
        try await WorkerLab.with { lab in
            let bytes = content(count)
            let (report, _) = try await run(lab) { _ in Answer.whole(bytes) }
            let body = try #require(report.body)
            #expect(body.length == Int64(count))
            #expect(body.sha256 == sha256(bytes))
            #expect(body.isLengthVerified)
            #expect(try lab.bytes(of: body) == bytes)
            #expect(body.response?["status_code"] == 200)
            #expect(body.response?["suggested_filename"] == "file.bin")
            #expect(body.response?["etag"] == "\"v1\"")
        }
    }

    @Test func unverifiedLengthIsReported() async throws {
        try await WorkerLab.with { lab in
            let (report, _) = try await run(lab) { _ in
                [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"), .close]
            }
            let body = try #require(report.body)
            #expect(body.length == 3)
            #expect(!body.isLengthVerified)
        }
    }

    @Test func truncatedBodyKeepsItsBytes() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(700_000)
            let (report, id) = try await run(lab) { _ in Answer.whole(bytes, cutAfter: 400_000) }
            #expect(report.failure?.isRetryable == true)
            let kept = try #require(report.kept)
            #expect(kept.offset == 400_000)
            #expect(kept.total == 700_000)
            #expect(kept.etag == "\"v1\"")
            #expect(kept.fence == 1)
            #expect(kept.instance == lab.store.instance.hexadecimal)
            #expect(try lab.bytes("\(id.hexadecimal).1.part") == Array(bytes[..<400_000]))
        }
    }

    @Test func bytesWithoutAValidatorAreDiscarded() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(1000)
            let (report, _) = try await run(lab) { _ in
                Answer.whole(bytes, etag: "W/\"weak\"", cutAfter: 400)
            }
            #expect(report.failure != nil)
            #expect(report.kept == nil)
            // The client's digest is proof enough.
            let digest: JSONObject = ["expected_digest": .string("sha256:" + sha256(bytes))]
            let (second, _) = try await run(lab, members: digest) { _ in
                Answer.whole(bytes, etag: nil, cutAfter: 400)
            }
            #expect(second.kept?.offset == 400)
        }
    }

    @Test func comparesTheDigest() async throws {
        try await WorkerLab.with { lab in
            let bytes = content(1000)
            let good: JSONObject = ["expected_digest": .string("SHA256:" + sha256(bytes))]
            let (whole, _) = try await run(lab, members: good) { _ in Answer.whole(bytes) }
            #expect(whole.body?.length == 1000)
            let bad: JSONObject = ["expected_digest": .string("sha256:" + sha256([]))]
            let (report, id) = try await run(lab, members: bad) { _ in Answer.whole(bytes) }
            let failure = try #require(report.failure)
            #expect(failure.code == .digestMismatch)
            #expect(failure.failureClass == .permanent)
            #expect(!failure.isRetryable, "one attempt fetched it whole")
            #expect(report.kept == nil)
            #expect(try !lab.files().contains { $0.hasPrefix(id.hexadecimal) })
        }
    }

    @Test(arguments: [
        (401, FailureClass.attention, true), (403, .attention, true), (407, .attention, true),
        (404, .server, false), (410, .server, false), (400, .server, false),
        (408, .network, true), (425, .network, true), (429, .pushback, true),
        (500, .network, true), (502, .network, true), (503, .pushback, true),
        (504, .network, true), (304, .server, false), (206, .network, true),
        (204, .server, false), (202, .pushback, true), (501, .network, true),
    ])
    func aStatusThatIsNoContent(
        status: Int, failureClass: FailureClass, isRetryable: Bool
    ) async throws {
        try await WorkerLab.with { lab in
            let (report, _) = try await run(lab) { _ in
                status == 204 || status == 304
                    ? [.send("HTTP/1.1 \(status) X\r\n\r\n")]
                    : Answer.status("\(status) X", ["Retry-After: 17"])
            }
            let failure = try #require(report.failure)
            #expect(failure.failureClass == failureClass)
            #expect(failure.isRetryable == isRetryable)
            if status != 206 { #expect(failure.httpStatus == status) }
            if status == 503 { #expect(report.retryAfter == .seconds(17)) }
            #expect(try lab.files().isEmpty, "an error's page is not the file")
        }
    }

    @Test(arguments: [RunOrder.cancel, .suspend, .release, .abandon, .yield])
    func stopsInTheMiddle(order: RunOrder) async throws {
        try await WorkerLab.with { lab in
            let gate = OriginGate()
            let bytes = content(1_000_000)
            let origin = try OriginServer { _ in
                let all = Answer.whole(bytes, cutAfter: 600_000)
                return Array(all.dropLast()) + [.wait(gate), .close]
            }
            defer {
                gate.open()
                origin.close()
            }
            let id = WorkerLab.identifier()
            let attempt = lab.attempt(try lab.claim(origin.url(), id: id))
            let running = Task { await attempt.run() }
            #expect(try await eventually { attempt.progress.received == 600_000 })
            #expect(attempt.progress.total == 1_000_000)
            attempt.stop(order)
            let report = await running.value
            guard case .stopped(order, let kept) = report else {
                Issue.record("ended otherwise: \(report)")
                return
            }
            switch order {
            case .suspend, .release, .yield:
                #expect(kept?.offset == 600_000)
                let part = try lab.bytes("\(id.hexadecimal).1.part")
                #expect(part == Array(bytes[..<600_000]))
            case .cancel:
                #expect(try lab.files().isEmpty)
            case .abandon:
                #expect(kept == nil)
            }
        }
    }

    @Test func orderBeforeTheStartIsObeyed() async throws {
        try await WorkerLab.with { lab in
            let origin = try OriginServer { _ in Answer.whole([1]) }
            defer { origin.close() }
            let attempt = lab.attempt(try lab.claim(origin.url(), id: WorkerLab.identifier()))
            attempt.stop(.cancel)
            guard case .stopped(.cancel, nil) = await attempt.run() else {
                Issue.record("not stopped")
                return
            }
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func clientOrderOverridesRelease() async throws {
        try await WorkerLab.with { lab in
            let attempt = lab.attempt(
                try lab.claim("http://127.0.0.1:9/", id: WorkerLab.identifier()))
            attempt.stop(.release)
            attempt.stop(.cancel)
            guard case .stopped(.cancel, nil) = await attempt.run() else {
                Issue.record("not canceled")
                return
            }
        }
    }

    @Test func invalidStoredURLFails() async throws {
        try await WorkerLab.with { lab in
            let claim = try lab.claim("ftp://x/", id: WorkerLab.identifier())
            let failure = await lab.attempt(claim).run().failure
            #expect(failure?.code == .unsupportedURL)
            #expect(failure?.isRetryable == false)
        }
    }
}
