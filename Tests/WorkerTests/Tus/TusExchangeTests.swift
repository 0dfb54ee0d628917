// The requests that bring a file to a receiver that speaks tus, and what follows from each answer.
import Base
import Downloads
import Testing

@testable import Worker

@Suite struct TusExchangeTests {
    private static let digest = String(repeating: "ab", count: 32)

    private static func url(_ text: String) throws -> SourceURL { try SourceURL(parsing: text) }

    private static func terms(
        _ creation: String = "https://t.example/files", length: Int64 = 100
    ) throws -> TusExchange.Terms {
        TusExchange.Terms(creation: try url(creation), length: length, sha256: digest)
    }

    private static func known(
        _ location: String = "https://t.example/files/1", confirmed: Int64 = 0,
        sha256: String = digest, creation: String = "https://t.example/files"
    ) -> TusUpload {
        var upload = TusUpload(location: location, creation: creation, sha256: sha256)
        upload.confirmed = confirmed
        return upload
    }

    private static func answer(
        _ status: Int, offset: Int64? = nil, length: Int64? = nil, location: String? = nil
    ) -> TusExchange.Answer {
        var answer = TusExchange.Answer(status: status)
        (answer.offset, answer.length) = (offset, length)
        answer.location = location.map { FieldValue($0) }
        return answer
    }

    private static let lost = DownloadFailure(.networkConnectionLost, detail: "x")

    private static func failure(_ action: TusExchange.Action) throws -> DownloadFailure {
        guard case .end(.failed(let failure)) = action else {
            throw Unexpected(action: action)
        }
        return failure
    }

    private struct Unexpected: Error { let action: TusExchange.Action }

    /// A machine that has begun to send.
    private static func sending(length: Int64 = 100) throws -> TusExchange {
        var machine = TusExchange(try terms(length: length), continuing: nil)
        _ = machine.begin()
        _ = machine.created(answer(201, location: "/files/1"))
        _ = machine.kept()
        return machine
    }

    /// A machine that asks for the offset of an upload that the row names.
    private static func asking(confirmed: Int64 = 0) throws -> TusExchange {
        var machine = TusExchange(try terms(), continuing: known(confirmed: confirmed))
        _ = machine.begin()
        return machine
    }

    @Test func aNewUploadIsCreatedKeptAndSent() throws {
        var machine = TusExchange(try Self.terms(), continuing: nil)
        #expect(machine.begin() == .create)
        #expect(
            machine.created(Self.answer(201, location: "https://t.example/files/1"))
                == .keep(Self.known()))
        let location = try Self.url("https://t.example/files/1")
        #expect(machine.kept() == .send(location, from: 0))
        #expect(machine.sent(Self.answer(204, offset: 100)) == .end(.taken))
        #expect(machine.hasProgress && machine.upload?.confirmed == 100)
    }

    @Test func anEmptyFileIsTakenWithItsCreation() throws {
        var machine = TusExchange(try Self.terms(length: 0), continuing: nil)
        _ = machine.begin()
        #expect(machine.created(Self.answer(201, location: "1")) == .end(.taken))
    }

    @Test func anUploadIsContinuedOnlyForItsBytesAndItsReceiver() throws {
        let cases: [(TusUpload, Bool)] = [
            (Self.known(), true),
            (Self.known(creation: "https://t.example/files?signature=2"), true),
            (Self.known(creation: "https://t.example/other"), false),
            (Self.known(creation: "https://u.example/files"), false),
            (Self.known(sha256: "cd"), false), (Self.known("no url"), false),
        ]
        for (upload, isUsed) in cases {
            var machine = TusExchange(try Self.terms(), continuing: upload)
            let first = machine.begin()
            let location = try Self.url("https://t.example/files/1")
            #expect(first == (isUsed ? .ask(location) : .create), "\(upload)")
        }
    }

    private static let locations: [(String, String?)] = [
        ("/files/2", "https://t.example/files/2"), ("2", "https://t.example/2"),
        ("?id=2", "https://t.example/files?id=2"), ("//u.example/2", "https://u.example/2"),
        ("https://u.example:8443/2", "https://u.example:8443/2"),
        // The bytes do not leave TLS.
        ("http://t.example/2", nil), ("ftp://t.example/2", nil), ("http://[::", nil), ("", nil),
        ("https://u:p@t.example/2", nil),
    ]

    @Test(arguments: locations)
    func theLocationIsAURLOrTheReceiverIsRefused(_ text: String, _ target: String?) throws {
        var machine = TusExchange(try Self.terms(), continuing: nil)
        _ = machine.begin()
        let next = machine.created(Self.answer(201, location: text))
        guard let target else {
            let failure = try Self.failure(next)
            #expect(failure.code == .destinationRefused && failure.failureClass == .attention)
            return
        }
        let location = try Self.url(target).description
        #expect(next == .keep(Self.known(location)))
    }

    @Test func everyStatusOfACreationHasOneMeaning() throws {
        for status in 200...999 where status != 201 {
            var machine = TusExchange(try Self.terms(), continuing: nil)
            _ = machine.begin()
            let failure = try Self.failure(
                machine.created(Self.answer(status, location: "/files/1")))
            let passes = [408, 423, 425, 429].contains(status) || (500...599).contains(status)
            #expect((failure.code == .destinationRefused) == !passes, "\(status)")
            #expect(failure.failureClass == .pushback || failure.httpStatus == status)
        }
    }

    @Test func everyStatusToBytesHasOneMeaning() throws {
        let location = try Self.url("https://t.example/files/1")
        for status in 200...999 {
            var machine = try Self.sending()
            let next = machine.sent(Self.answer(status))
            switch status {
            // Without an offset nothing is known.
            case 200...299, 409, 460: #expect(next == .ask(location), "\(status)")
            case 404, 410: #expect(next == .create, "\(status)")
            case 408, 423, 425, 429, 500...599:
                #expect(try Self.failure(next).failureClass != .attention, "\(status)")
            default: #expect(try Self.failure(next).code == .destinationRefused, "\(status)")
            }
        }
    }

    @Test func everyStatusToTheQuestionHasOneMeaning() throws {
        for status in 200...999 {
            var machine = try Self.asking()
            let next = machine.asked(Self.answer(status))
            switch status {
            case 200...299, 403, 404, 410: #expect(next == .create, "\(status)")
            case 408, 423, 425, 429, 500...599:
                #expect(try Self.failure(next).failureClass != .attention, "\(status)")
            default: #expect(try Self.failure(next).code == .destinationRefused, "\(status)")
            }
        }
    }

    @Test func theOffsetOfTheReceiverDecides() throws {
        let location = try Self.url("https://t.example/files/1")
        for offset in Int64(0)...101 {
            var machine = try Self.asking()
            let next = machine.asked(Self.answer(200, offset: offset, length: 100))
            switch offset {
            case 0..<100: #expect(next == .send(location, from: offset))
            case 100: #expect(next == .end(.taken))
            default: #expect(next == .create, "the upload of another file")
            }
            var other = try Self.sending()
            let then = other.sent(Self.answer(204, offset: offset))
            switch offset {
            case 1..<100: #expect(then == .send(location, from: offset))
            case 100: #expect(then == .end(.taken))
            default: #expect(try Self.failure(then).code == .badServerResponse)
            }
        }
        var machine = try Self.asking()
        #expect(machine.asked(Self.answer(200, offset: 5, length: 99)) == .create)
    }

    @Test func anAnswerBeforeTheLastByteIsNoSuccess() throws {
        var machine = try Self.sending()
        var early = Self.answer(204, offset: 100)
        early.isWhole = false
        #expect(try Self.failure(machine.sent(early)).code == .badServerResponse)
    }

    @Test func aLostAnswerIsAskedFor() throws {
        let location = try Self.url("https://t.example/files/1")
        for (offset, next) in [
            (Int64(100), TusExchange.Action.end(.taken)), (60, .send(location, from: 60)),
            (0, .end(.failed(Self.lost))),
        ] {
            var machine = try Self.sending()
            #expect(machine.lost(Self.lost) == .ask(location))
            #expect(machine.asked(Self.answer(200, offset: offset)) == next)
        }
        // The question is lost, too: the failure of the bytes says more.
        var machine = try Self.sending()
        _ = machine.lost(Self.lost)
        let second = DownloadFailure(.timedOut, detail: "y")
        #expect(machine.lost(second) == .end(.failed(Self.lost)))
        var unreached = Self.lost
        unreached.isUnreachable = true
        var other = try Self.sending()
        #expect(other.lost(unreached) == .end(.failed(unreached)))
    }

    @Test func onlyAForeignLocationThatIsNotAllowedIsForgotten() throws {
        let denied = DownloadFailure(.destinationNotAllowed, detail: "x")
        var machine = TusExchange(try Self.terms(), continuing: nil)
        _ = machine.begin()
        _ = machine.created(Self.answer(201, location: "https://u.example/1"))
        _ = machine.kept()
        let failure = try Self.failure(machine.lost(denied))
        #expect(failure.code == .destinationRefused && failure.failureClass == .attention)
        #expect(failure.detail.contains("https://u.example:443") && machine.upload == nil)
        var own = try Self.asking()
        #expect(own.lost(denied) == .end(.failed(denied)))
        #expect(own.upload != nil)
    }

    @Test func aTryEndsWhateverTheReceiverAnswers() throws {
        // Each event is chosen by a number, so that all short histories are tried.
        for seed in 0..<6561 {
            var machine = TusExchange(
                try Self.terms(), continuing: seed % 2 == 0 ? nil : Self.known())
            var (choice, steps, sent) = (seed, 0, Int64(0))
            var action = machine.begin()
            while true {
                if case .end = action { break }
                steps += 1
                try #require(steps < 60, "seed \(seed)")
                let event = choice % 3
                choice = choice / 3 + (seed &* 31 &+ steps) % 7
                switch (action, event) {
                case (.create, _): action = machine.created(Self.answer(201, location: "1"))
                case (.keep, _): action = machine.kept()
                case (.ask, 0): action = machine.asked(Self.answer(404))
                case (.ask, _):
                    sent = min(99, sent + 1)
                    action = machine.asked(Self.answer(200, offset: sent))
                case (.send, 0): action = machine.sent(Self.answer(409))
                case (.send, 1): action = machine.lost(Self.lost)
                case (.send(_, let from), _):
                    sent = min(99, from + 1)
                    action = machine.sent(Self.answer(204, offset: sent))
                case (.end, _): break
                }
            }
        }
    }

    @Test func progressIsCountedOncePerByteOverAllTries() throws {
        for (confirmed, offset, isMore) in [(Int64(0), Int64(1), true), (50, 50, false)] {
            var machine = try Self.asking(confirmed: confirmed)
            _ = machine.asked(Self.answer(200, offset: offset))
            #expect(machine.hasProgress == isMore)
        }
        // A receiver that loses its uploads makes no progress with the bytes that it had.
        var machine = try Self.asking(confirmed: 50)
        _ = machine.asked(Self.answer(410))
        _ = machine.created(Self.answer(201, location: "2"))
        _ = machine.kept()
        _ = machine.sent(Self.answer(204, offset: 40))
        #expect(!machine.hasProgress)
        _ = machine.sent(Self.answer(204, offset: 51))
        #expect(machine.hasProgress && machine.upload?.confirmed == 51)
    }

    @Test func theMetadataHasNameAndTypeInBase64() {
        #expect(TusSending.metadata(name: "a.bin", type: nil) == "filename YS5iaW4=")
        #expect(
            TusSending.metadata(name: "ä", type: "text/plain")
                == "filename w6Q=,filetype dGV4dC9wbGFpbg==")
    }

    @Test func anUploadSurvivesItsStore() throws {
        var point = ResumePoint(mismatches: 0, fence: 7, instance: "a1")
        point.received = ReceivedFile()
        point.received?.tus = Self.known(confirmed: 9)
        #expect(ResumePoint(stored: point.json) == point)
    }
}
