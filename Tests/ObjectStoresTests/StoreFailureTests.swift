// The kind of each failure, and that nothing is asked twice but after a refusal of the keys.
internal import Base
internal import Downloads
internal import ObjectStores
internal import Support
internal import Synchronization
internal import Testing
internal import Transfers

@Suite struct StoreFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        let status: Int?
        let code: String?
        /// The kind for a PUT of an object.
        let put: StoreFailure.Kind
        /// The kind for the making of an object out of its parts.
        let complete: StoreFailure.Kind
        /// The kind for a HEAD, whose answer has no document.
        let head: StoreFailure.Kind

        init(
            _ fault: String, _ status: Int?, _ code: String?, _ put: StoreFailure.Kind,
            _ complete: StoreFailure.Kind, _ head: StoreFailure.Kind
        ) {
            (self.fault, self.status, self.code) = (fault, status, code)
            (self.put, self.complete, self.head) = (put, complete, head)
        }

        var testDescription: String { fault }
    }

    static let rows = [
        Row("slowdown", 503, "SlowDown", .again, .again, .again),
        Row("internal", 500, "InternalError", .unknown, .unknown, .again),
        Row("gateway", 502, nil, .unknown, .unknown, .again),
        Row("timeout", 400, "RequestTimeout", .again, .again, .refused),
        Row("skewed", 403, "RequestTimeTooSkewed", .again, .again, .refused),
        Row("conflict-409", 409, "ConditionalRequestConflict", .again, .again, .refused),
        Row("precondition", 412, "PreconditionFailed", .conflict, .conflict, .conflict),
        Row("moved-301", 301, "PermanentRedirect", .refused, .refused, .refused),
        Row("moved-307", 307, "TemporaryRedirect", .refused, .refused, .refused),
        Row("denied", 403, "AccessDenied", .refused, .refused, .refused),
        Row("bad-digest", 400, "BadDigest", .damaged, .damaged, .refused),
        Row("error-200", 200, "InternalError", .again, .again, .again),
        Row("no-upload", 404, "NoSuchUpload", .noUpload, .noUpload, .missing),
        // libcurl itself repeats a request on a kept connection that turns out to be dead.
        Row("close-early", nil, nil, .again, .unknown, .again),
        Row("close-before", nil, nil, .unknown, .unknown, .again),
        Row("close-after", nil, nil, .unknown, .noUpload, .again),
    ]

    @Test(arguments: rows)
    func failuresHaveTheKindOfTheirConsequence(_ row: Row) async throws {
        try await StoreLab.with(.strict(["--min-part", "1"])) { lab in
            // Larger than what is sent without the store's consent.
            let bytes = [UInt8](repeating: 7, count: 2 << 20)
            let times = row.fault.hasPrefix("close") ? 2 : 1
            try await lab.fail("PutObject", row.fault, times: times)
            let put = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("a", bytes)
            }
            #expect(put.kind == row.put)
            #expect(put.status == row.status && put.code == row.code)
            #expect(put.wait == (row.fault == "slowdown" ? .seconds(1) : nil))
            #expect(!put.detail.isEmpty)
            let upload = try await lab.store.beginUpload(lab.object("b", [1]), lab.call)
            let part = try await lab.store.putPart(1, of: upload, StoreLab.body([1]), lab.call)
            try await lab.fail("CompleteMultipartUpload", row.fault, times: times)
            let complete = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.complete(
                    upload, [part], crc64: nil, if: .absent, lab.call)
            }
            #expect(complete.kind == row.complete)
            let key = lab.store.location.key(for: "b")
            let hasObject = try await lab.store.head(key, lab.call) != nil
            #expect(hasObject == (row.fault == "close-after"))
            try await check(row, headOf: key, lab)
            let puts = try await lab.operations().filter { $0 == "PutObject" }
            #expect(puts.count == (row.fault == "close-early" ? 2 : 1))
        }
    }

    private func check(_ row: Row, headOf key: String, _ lab: StoreLab) async throws {
        guard row.fault != "error-200" else { return }
        try await lab.fail("HeadObject", row.fault, times: 2)
        do throws(StoreFailure) {
            let facts = try await lab.store.head(key, lab.call)
            #expect(facts == nil && row.head == .missing)
        } catch { #expect(error.kind == row.head) }
    }

    @Test func anAnswerToCompleteThatCannotBeReadTellsNothing() async throws {
        try await StoreLab.with(.strict(["--min-part", "1"])) { lab in
            let upload = try await lab.store.beginUpload(lab.object("b", [1]), lab.call)
            let part = try await lab.store.putPart(1, of: upload, StoreLab.body([1]), lab.call)
            try await lab.fail("CompleteMultipartUpload", "garbage-200")
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.complete(
                    upload, [part], crc64: nil, if: .absent, lab.call)
            }
            #expect(failure.kind == .unknown)
        }
    }

    @Test func aSuccessWithoutAnEntityTagTellsNothing() async throws {
        try await StoreLab.with(.strict([])) { lab in
            try await lab.fail("PutObject", "garbage-200")
            let put = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("a", [1])
            }
            #expect(put.kind == .unknown)
            try await lab.fail("HeadObject", "garbage-200")
            let head = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.head(lab.store.location.key(for: "a"), lab.call)
            }
            #expect(head.kind == .again)
        }
    }

    @Test func partsOfTheWrongSizeOrAreNotThereEndTheUpload() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let upload = try await lab.store.beginUpload(lab.object("b", [1, 2]), lab.call)
            let first = try await lab.store.putPart(1, of: upload, StoreLab.body([1]), lab.call)
            let second = try await lab.store.putPart(2, of: upload, StoreLab.body([2]), lab.call)
            func kind(_ parts: [StoredPart]) async throws -> StoreFailure {
                try await lab.failure { () async throws(StoreFailure) in
                    _ = try await lab.store.complete(
                        upload, parts, crc64: nil, if: .always, lab.call)
                }
            }
            let small = try await kind([first, second])
            #expect(small.kind == .refused && small.code == "EntityTooSmall")
            #expect(try await kind([second, first]).kind == .noUpload)
            var other = first
            other.tag = "\"&<>\""
            let wrong = try await kind([other])
            #expect(wrong.kind == .noUpload && wrong.code == "InvalidPart")
        }
    }

    @Test func aBodyWithOtherBytesIsDamaged() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let body = StoreLab.body([1, 2, 3])
            let other = StoreBody(
                length: 3, sha256: body.sha256, source: StoreLab.body([1, 2, 4]).source)
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.store.put(
                    lab.object("a", [1, 2, 3]), other, if: .always, lab.call)
            }
            #expect(failure.kind == .damaged)
            #expect(try await lab.look("/_objects") == .object([:]))
        }
    }

    @Test func checksumsThatAStoreDoesNotKnowAreRefused() async throws {
        try await StoreLab.with(.strict(["--no-checksums"]), { $0.checksum = .crc64nvme }) { lab in
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("a", [1])
            }
            #expect(failure.kind == .refused && failure.code == "NotImplemented")
        }
    }

    @Test func aStoreThatIsAwayIsUnreachable() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let gone = try await StoreProcess(.strict([]))
            try await gone.end()
            let away = ObjectStore(
                "cold", app: nil,
                StoreLocation(
                    bucket: "b", prefix: "",
                    endpoint: try SourceURL(parsing: "http://127.0.0.1:\(gone.port)")),
                over: lab.engine,
                environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
            ) { Timestamp.epoch }
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await away.head("a", lab.call)
            }
            #expect(failure.kind == .again)
            #expect(failure.status == nil && failure.detail.contains("not reached"))
        }
    }

    @Test(.timeLimit(.minutes(2))) func aCallThatIsCancelledEndsItsRequests() async throws {
        try await StoreLab.with(.strict([])) { lab in
            try await lab.fail("PutObject", "stall", times: 1)
            let failure = try await withThrowingTaskGroup(of: StoreFailure.self) { group in
                group.addTask {
                    try await lab.failure { () async throws(StoreFailure) in
                        _ = try await lab.put("a", [1])
                    }
                }
                #expect(
                    try await eventually { try await lab.operations().contains("PutObject") })
                lab.call.cancel()
                return try await group.next()
            }
            #expect(failure?.kind == .cancelled)
            let next = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("b", [1])
            }
            #expect(next.kind == .cancelled)
        }
    }

    /// With the first limit it would take years.
    @Test(.timeLimit(.minutes(2))) func aNewLimitHoldsForARequestThatRuns() async throws {
        try await StoreLab.with(.strict([])) { lab in
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            lab.call.limit(to: 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await lab.put("a", bytes) }
                #expect(
                    try await eventually { try await lab.operations().contains("PutObject") })
                lab.call.limit(to: nil)
                try await group.waitForAll()
            }
            #expect(try await lab.read("a") == bytes)
        }
    }

    @Test func aReadingThatBreaksOffIsNotTakenForTheWholeObject() async throws {
        try await StoreLab.with(.strict([])) { lab in
            _ = try await lab.put("a", [UInt8](repeating: 1, count: 100_000))
            try await lab.fail("GetObject", "cut")
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.read("a")
            }
            #expect(failure.kind == .again)
        }
    }
}
