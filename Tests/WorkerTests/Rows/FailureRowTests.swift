// Every code that a download can fail with, through a whole worker: its class, whether it is tried
// again, the state that it leads to, and whether the bytes that were here are kept.
import Base
import Crypto
import Downloads
import Foundation
import Postgres
import Store
import Support
import Testing
import Trees

@testable import Content
@testable import Transfers
@testable import Worker

private let bytes = content(9000)

/// The place of a code's proof.
private enum Proof {
    /// Rows of a table in this file.
    case rows([Row])
    /// A test in a file beside this one, because it takes more than an origin's answer.
    case test(String, in: String)
}

/// 4000 bytes come, then trouble at every further request: three attempts at most, since the first
/// one made progress and two without progress are the limit.
private func trouble(
    _ name: String, _ code: FailureCode, _ failureClass: FailureClass,
    _ answer: @escaping @Sendable (OriginRequest) -> [OriginStep],
    _ change: (inout Row) -> Void = { _ in }
) -> Row {
    let isAsked = failureClass == .attention
    let isRetried = failureClass == .network || failureClass == .pushback
    return Row(name, ranges: isRetried ? [nil, 4000, 4000] : [nil, 4000]) { request, number in
        number == 0 ? Answer.whole(bytes, cutAfter: 4000) : answer(request)
    }.with {
        $0.code = code.rawValue
        $0.failureClass = failureClass
        $0.ifRange = "\"v1\""
        $0.attempts = isRetried ? 3 : 2
        $0.state = isAsked ? .attentionRequired : .failed
        $0.kept = isAsked ? 4000 : nil
        $0.outcome = isAsked ? "continued" : nil
        $0.resumedFrom = 4000
        change(&$0)
    }
}

/// Trouble with the first answer, and with every later one.
private func direct(
    _ name: String, _ code: FailureCode, _ failureClass: FailureClass, asked: Int? = nil,
    _ answer: [OriginStep], _ change: (inout Row) -> Void = { _ in }
) -> Row {
    let attempts = failureClass == .network || failureClass == .pushback ? 2 : 1
    return Row(name, ranges: Array(repeating: nil, count: asked ?? attempts)) { _, _ in answer }
        .with {
            $0.code = code.rawValue
            $0.failureClass = failureClass
            $0.attempts = attempts
            $0.state = failureClass == .attention ? .attentionRequired : .failed
            $0.kept = failureClass == .attention ? 0 : nil
            change(&$0)
        }
}

/// Trouble before a request could be sent.
private func unasked(_ url: String, _ code: FailureCode, _ failureClass: FailureClass) -> Row {
    direct(url, code, failureClass, asked: 0, []) { $0.url = url }
}

private func redirect(
    _ location: String, _ code: FailureCode, _ failureClass: FailureClass
) -> Row {
    let answer = OriginStep.answer("302 Found", headers: ["Location: " + location])
    return trouble("302 to " + location, code, failureClass) { _ in answer }
}

private func status(
    _ line: String, _ code: FailureCode, _ failureClass: FailureClass, _ headers: [String] = []
) -> Row {
    trouble(line, code, failureClass) { _ in Answer.status(line, headers) }
}

private let tooShort: [OriginStep] = [
    .send(
        "HTTP/1.1 206 P\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n"
            + "Content-Range: bytes 4000-8999/9000\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
]

/// An exhaustive switch: a new code does not compile without its proof.
private func proof(of code: FailureCode) -> Proof {
    switch code {
    case .networkConnectionLost, .badServerResponse, .sizeMismatch, .digestMismatch,
        .lengthUnverified, .sourceChanged, .dataLengthExceedsMaximum:
        .rows(rowsOfAnswers(code))
    case .tooManyRedirects, .redirectToNonExistentLocation, .unsupportedURL,
        .destinationNotAllowed:
        .rows(rowsOfPlaces(code))
    case .httpStatus, .userAuthenticationRequired, .urlExpired, .resourceUnavailable:
        .rows(rowsOfStatuses(code))
    case .contentTypeNotAccepted, .contentTooShort:
        .test("unwantedContentIsFinalAndItsBeginningIsShown", in: "DemandTests")
    case .expectedLengthMismatch:
        .test("lengthOtherThanDemandedFails", in: "DemandTests")
    case .cannotFindHost: .rows([unasked("http://nobody.test/", code, .network)])
    case .dnsLookupFailed:
        .rows([
            unasked("http://silent.test/", code, .network).with {
                $0.members = ["waits_for_connectivity": false]
            }
        ])
    case .cannotConnectToHost: .test("closedPortCannotConnect", in: "FailureRowTests")
    case .timedOut: .test("silentOriginTimesOut", in: "FailureRowTests")
    case .stalled: .test("drippingOriginStalls", in: "FailureRowTests")
    case .badRequestHeader: .test("forbiddenStoredHeaderIsNotSent", in: "FailureRowTests")
    case .destinationConflict: .test("aNameThatIsTakenNeedsTheClient", in: "DestinationTests")
    case .destinationUnavailable:
        .test("aPathOverALinkNeedsTheClient", in: "DestinationTests")
    case .destinationRefused: .test("aRefusedFileNeedsTheClient", in: "RelayTests")
    case .destinationOutcomeUnknown:
        .test("aLostAnswerToAPostIsUnknown", in: "RelayTests")
    case .contentLost:
        .test("aFileThatIsDamagedOrGoneAsksTheClient", in: "UploadTests")
    case .contentExpired:
        .test("bytesThatDoNotComeInTimeEndTheUpload", in: "UploadTests")
    case .credentialsUnavailable: .test("unreadableSecretsNeedAttention", in: "FailureRowTests")
    case .cannotWriteToFile:
        .test("existingFileDoesNotStopTheNextAttempt", in: "FailureRowTests")
    case .credentialsUnreadable: .test("missingEncryptionKeyNeedsAttention", in: "RequestTests")
    case .requestOutcomeUnknown:
        .test("postWithUnknownOutcomeIsNotRetried", in: "RequestTests")
    case .insufficientStorage: .test("aFullDiskCostsNoAttempt", in: "RoomTests")
    case .cannotRecord: .test("unrecordableEndFailsAlone", in: "RecorderTests")
    case .clientCertificateRequired:
        .test("requiredClientCertificateNeedsAttention", in: "SecureRowTests")
    case .secureConnectionFailed, .serverCertificateUntrusted, .clientCertificateRejected,
        .requiresSecureConnection:
        .test("tlsFailuresHaveTheirCodes", in: "SecureRowTests")
    case .proxyAuthenticationRequired, .proxyRefused, .proxyConnectionFailed:
        .test("proxyFailuresHaveTheirCodes", in: "SecureRowTests")
    }
}

private func rowsOfAnswers(_ code: FailureCode) -> [Row] {
    switch code {
    case .networkConnectionLost:
        // After a reset without any answer libcurl itself would repeat the request on a new
        // connection.
        [
            trouble("cut", code, .network) { _ in
                Answer.part(bytes, from: 4000, cutAfter: 0)
            }
        ]
    case .badServerResponse:
        [
            trouble("no HTTP", code, .server, { _ in [.send("hello\r\n\r\n"), .close] }) {
                $0.ranges = [nil, 4000, 4000]
                $0.attempts = 3
            }
        ]
    case .sizeMismatch:
        [
            Row("a part that is too short", ranges: [nil, 4000, nil]) { _, number in
                switch number {
                case 0: Answer.whole(bytes, cutAfter: 4000)
                case 1: tooShort
                default: Answer.whole(bytes)
                }
            }.with {
                $0.attempts = 3
                $0.bytes = bytes
                $0.codes = ["network_connection_lost", "size_mismatch", nil]
            }
        ]
    case .digestMismatch:
        [
            direct("the client's digest", code, .permanent, Answer.whole(bytes)) {
                $0.members = ["expected_digest": .string("sha256:" + sha256([]))]
            }
        ]
    case .lengthUnverified:
        [
            direct("no end", code, .server, [.send("HTTP/1.1 200 OK\r\n\r\nabc"), .close]) {
                $0.members = ["require_verified_length": true]
            }
        ]
    case .sourceChanged:
        [(SourceChange.fail, FailureClass.server), (.ask, .attention)].map { rule, failureClass in
            trouble(
                "changed, \(rule)", code, failureClass,
                { _ in Answer.whole(bytes, etag: "\"v2\"") }
            ) { $0.members = ["on_source_change": .string(rule.rawValue)] }
        }
    case .dataLengthExceedsMaximum:
        [
            direct("too long", code, .attention, Answer.whole(bytes)) {
                $0.members = ["max_bytes": 5000]
            }
        ]
    default: []
    }
}

private func rowsOfPlaces(_ code: FailureCode) -> [Row] {
    switch code {
    case .tooManyRedirects:
        [
            direct(
                "for ever", code, .server, asked: 11,
                Answer.status("302 F", ["Location: file.bin"]))
        ]
    case .redirectToNonExistentLocation: [redirect("http:///", code, .server)]
    case .unsupportedURL: [redirect("ftp://127.0.0.1/x", code, .permanent)]
    case .destinationNotAllowed:
        [
            redirect("http://10.0.0.1/", code, .permanent),
            unasked("http://10.0.0.1/", code, .permanent),
        ]
    default: []
    }
}

private func rowsOfStatuses(_ code: FailureCode) -> [Row] {
    switch code {
    case .httpStatus:
        [
            status("500 X", code, .network), status("408 X", code, .network),
            status("503 X", code, .pushback), status("429 X", code, .pushback),
            status("418 X", code, .server).with {
                $0.ranges = [nil, 4000, nil]
                $0.ifRange = nil
            },
        ]
    case .userAuthenticationRequired:
        [status("401 X", code, .attention), status("403 X", code, .attention)]
    case .urlExpired:
        [
            status("403 X", code, .attention).with {
                $0.query = "?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=x"
            }
        ]
    case .resourceUnavailable:
        [
            status("404 X", code, .attention), status("410 X", code, .attention),
            direct("404 at once", code, .server, Answer.status("404 X")),
        ]
    default: []
    }
}

@Suite struct FailureRowTests {
    @Test func everyFailureCodeHasARowAndADescription() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let description = try String(
            contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("openapi.yaml"), encoding: .utf8)
        for code in FailureCode.allCases {
            #expect(description.contains("`\(code.rawValue)`"), "openapi.yaml: \(code.rawValue)")
            switch proof(of: code) {
            case .rows(let rows):
                let codes = rows.flatMap { [$0.code] + ($0.codes ?? []) }
                #expect(codes.contains(code.rawValue), "\(code.rawValue)")
                #expect(rows.allSatisfy { $0.failureClass != nil || $0.codes != nil })
            case .test(let name, let file):
                let path = try #require(files.first { "/\($0)".hasSuffix("/\(file).swift") })
                let text = try String(
                    contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                #expect(text.contains("func \(name)("), "\(code.rawValue): \(name)")
                #expect(
                    text.contains("\"\(code.rawValue)\"") || text.contains(".\(code)"),
                    "\(file) names \(code.rawValue)")
            }
        }
    }

    @Test func everyRowFailsWithItsCode() async throws {
        var rows: [Row] = []
        for code in FailureCode.allCases {
            if case .rows(let more) = proof(of: code) { rows += more }
        }
        try await Row.run(rows, maximumAttempts: 2)
    }

    @Test func closedPortCannotConnect() async throws {
        let closed = try OriginServer { _ in [] }
        closed.close()
        try await Row.run(
            [unasked(closed.url(), .cannotConnectToHost, .network)], maximumAttempts: 2)
    }

    @Test func silentOriginTimesOut() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await trouble("silence", .timedOut, .network, { _ in [.wait(gate)] }) {
            // The answers that are not silent have as much time, however busy the machine is.
            $0.members = ["timeout_interval_for_request": 3]
        }.run(maximumAttempts: 2)
    }

    /// The origin is never silent for long, and never fast enough.
    @Test func drippingOriginStalls() async throws {
        try await Replica.with(
            change: {
                $0.lowSpeed = LowSpeed(bytesPerSecond: 3000, window: .seconds(2))
                $0.retries.maximumAttempts = 2
            },
            { request in
                let start = request.rangeStart ?? 0
                guard start < 4000 else { return Answer.part(bytes, from: start) }
                return Answer.whole(bytes, cutAfter: 4000).dropLast()
                    + [.drip(String(repeating: "a", count: 2000), everyMilliseconds: 20)]
            }
        ) { replica, origin in
            let id = try await replica.submit(
                origin.url(), ["timeout_interval_for_request": 5])
            let record = try await replica.reached(.succeeded, id)
            let tried = try await replica.attempts(id)
            #expect(tried.count == 2)
            #expect(tried.first?.detail["error"]?["code"] == "stalled")
            #expect(tried.first?.detail["error"]?["class"] == "network")
            #expect(tried.first?.detail["phase"] == "body")
            // The bytes that dripped in are kept: the next attempt continues behind them.
            let from = try #require(origin.requests.last?.rangeStart)
            #expect(from > 4000)
            #expect(tried.last?.detail["resumed_from"] == .integer(Int64(from)))
            #expect(record.download.result["resume"]?["outcome"] == "continued")
        }
    }

    /// Lull's own limit is the reason: the download does not fail, however low the limit is.
    @Test func ownRateLimitDoesNotStall() async throws {
        let big = content(80_000)
        try await Replica.with(
            change: { $0.lowSpeed = LowSpeed(bytesPerSecond: 1_000_000, window: .seconds(1)) },
            { _ in Answer.whole(big) }
        ) { replica, origin in
            let id = try await replica.submit(
                origin.url(),
                ["timeout_interval_for_request": 1, "max_bytes_per_second": 20_000])
            let record = try await replica.reached(.succeeded, id)
            #expect(record.download.attempt == 1)
            #expect(try replica.file(record) == big)
        }
    }

    /// A header that no API would accept, as another version of the program might have stored it.
    @Test func forbiddenStoredHeaderIsNotSent() async throws {
        try await Replica.with({ _ in Answer.whole(bytes) }, isRunning: false) { replica, origin in
            let id = try await replica.submit(origin.url(), ["headers": ["X-A": "b"]])
            var secrets = RequestSecrets()
            secrets.headers = [HeaderField("Host", "elsewhere.test")]
            _ = try await replica.pool.query(
                "UPDATE download_secrets SET sealed = $1",
                [
                    Replica.box.seal(
                        BoundSecrets(secrets, for: origin.url()).plain,
                        for: RequestSecrets.associatedData(of: id, app: 1))
                ])
            try await replica.works {
                let record = try await replica.reached(.failed, id)
                #expect(record.download.result["error"]?["code"] == "bad_request_header")
                #expect(record.download.result["error"]?["class"] == "permanent")
            }
            #expect(origin.requests.isEmpty)
        }
    }

    @Test func unreadableSecretsNeedAttention() async throws {
        try await Replica.with({ _ in Answer.whole(bytes) }, isRunning: false) { replica, origin in
            let id = try await replica.submit(origin.url(), ["headers": ["X-A": "b"]])
            _ = try await replica.pool.query(
                "ALTER TABLE download_secrets RENAME sealed TO elsewhere")
            try await replica.works {
                let waiting = try await eventually {
                    try await replica.attempts(id).first?.detail["error"] != nil
                }
                #expect(waiting)
                let error = try await replica.attempts(id).first?.detail["error"]
                #expect(error?["code"] == "credentials_unavailable")
                #expect(error?["class"] == "internal")
                #expect(origin.requests.isEmpty)
                _ = try await replica.pool.query(
                    "ALTER TABLE download_secrets RENAME elsewhere TO sealed")
                _ = try await replica.reached(.succeeded, id)
                #expect(origin.requests.first?["x-a"] == "b")
            }
        }
    }

    /// The first attempt's file cannot be made, because the name is taken: for a small body the
    /// content's name, for a larger one the unfinished file's.
    @Test(arguments: [1, 4000, 20_000])
    func existingFileDoesNotStopTheNextAttempt(count: Int) async throws {
        let bytes = content(count)
        try await Replica.with({ _ in Answer.whole(bytes) }, isRunning: false) { replica, origin in
            let id = try await replica.submit(origin.url())
            let name = ContentName(download: id, fence: 1)
            if count > 16_384 {
                _ = try replica.lab.store.create(name)
            } else {
                let taken = replica.lab.store.publish([CompletedPart(name: name, bytes: nil)])
                _ = try #require(taken.first).get()
            }
            try await replica.works {
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == bytes)
                let tried = try await replica.attempts(id)
                #expect(tried.map { $0.detail["error"]?["code"] } == ["cannot_write_to_file", nil])
                #expect(tried.first?.detail["error"]?["class"] == "internal")
            }
        }
    }
}

extension Replica {
    /// Starts the worker of a replica that was made without one, for the time of a test.
    func works(_ test: () async throws -> Void) async throws {
        let running = Task { await worker.run() }
        do {
            try await test()
        } catch {
            await worker.drain(grace: .seconds(10))
            await running.value
            throw error
        }
        await worker.drain(grace: .seconds(10))
        await running.value
    }
}
