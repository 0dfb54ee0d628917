// Secrets are stored beside the queue, and nowhere once their download has ended.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct SecretsTests {
    private static let members: JSONObject = ["headers": ["X-Api-Key": "k"]]

    private func submit(_ lab: StoreLab, _ sealed: [UInt8] = [1, 2, 3]) async throws -> Identifier {
        var new = try lab.draft(Self.members)
        new.sealed = sealed
        _ = try await Intake(pool: lab.pool).submit(new)
        return new.download.id
    }

    private func count(_ lab: StoreLab) async throws -> Int64 {
        try await lab.number("SELECT count(*) FROM download_secrets")
    }

    @Test func secretsCommitWithTheirDownload() async throws {
        try await StoreLab.with { lab in
            let id = try await submit(lab)
            #expect(try await lab.downloads.secrets(of: id) == [1, 2, 3])
            try await lab.submit(2)
            #expect(try await count(lab) == 1)
            let key = KeyedAnswer(
                IdempotencyKey(
                    app: 1, hash: StoreLab.identifier(), fingerprint: .init(high: 1, low: 1)),
                StoredAnswer(status: 201, headers: JSONObject(), body: ""))
            var first = try lab.draft(Self.members)
            first.sealed = [9]
            var again = try lab.draft(Self.members)
            again.sealed = [8]
            let intake = Intake(pool: lab.pool)
            #expect(try await intake.submit(first, idempotency: key) == .mine)
            #expect(try await intake.submit(again, idempotency: key) != .mine)
            #expect(try await lab.downloads.secrets(of: first.download.id) == [9])
            #expect(try await lab.downloads.secrets(of: again.download.id) == nil)
            var big = try lab.draft(Self.members)
            big.sealed = [UInt8](repeating: 5, count: 1 << 20)
            _ = try await intake.submit(big)
            #expect(try await lab.downloads.secrets(of: big.download.id) == big.sealed)
        }
    }

    @Test(arguments: [
        RunOutcome.succeeded, .failed, .canceled, .retryScheduled, .attentionRequired, .suspended,
    ])
    func secretsAreErasedAtTheEndOnly(outcome: RunOutcome) async throws {
        try await StoreLab.with { lab in
            _ = try await submit(lab)
            let ledger = try await lab.register()
            let claim = try #require(await lab.claim(ledger).first)
            if outcome == .suspended {
                _ = try await lab.downloads.perform(.suspend, on: claim.download.id, app: 1)
            }
            _ = try await ledger.finish([lab.end(claim, outcome)])
            #expect(
                try await count(lab)
                    == ([.succeeded, .failed, .canceled].contains(outcome) ? 0 : 1))
        }
    }

    @Test func secretsAreErasedOnCancelAndExpiry() async throws {
        try await StoreLab.with { lab in
            let canceled = try await submit(lab)
            _ = try await lab.downloads.perform(.cancel, on: canceled, app: 1)
            let late = try await submit(lab)
            _ = try await lab.pool.query(
                "UPDATE queue SET deadline = now() WHERE id = $1", [UUIDValue(late)])
            #expect(try await lab.downloads.expire(limit: 10) == 1)
            #expect(try await count(lab) == 0)
        }
    }

    @Test func secretsAreErasedWhenACancelOutlivesItsReplica() async throws {
        try await StoreLab.with { lab in
            let id = try await submit(lab)
            let ledger = try await lab.register()
            _ = try await lab.claim(ledger)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            try await ledger.unregister()
            #expect(try await lab.state(of: id) == .canceled)
            #expect(try await count(lab) == 0)
        }
    }

    @Test func retryNeedsTheSecretsAgain() async throws {
        try await StoreLab.with { lab in
            let id = try await submit(lab)
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            guard
                case .secretsErased(let shape) = try await lab.downloads.perform(
                    .retry, on: id, app: 1)
            else {
                Issue.record("retried without its secrets")
                return
            }
            #expect(shape.secretMembers == ["headers"])
            #expect(try await lab.state(of: id) == .canceled)
            let request = SealedRequest(shape: shape, sealed: [7])
            guard
                case .done(let record, _) = try await lab.downloads.perform(
                    .retry, on: id, app: 1, request: request)
            else {
                Issue.record("not retried")
                return
            }
            #expect(record.download.state == .waiting)
            #expect(try await lab.downloads.secrets(of: id) == [7])
        }
    }

    @Test func sentMarkIsReturnedByTheClaim() async throws {
        try await StoreLab.with { lab in
            let id = try await submit(lab)
            let ledger = try await lab.register()
            let claim = try #require(await lab.claim(ledger).first)
            #expect(!claim.wasSent)
            #expect(try await ledger.markSent(id, fence: claim.fence))
            #expect(try await !ledger.markSent(id, fence: claim.fence + 1))
            try await ledger.unregister()
            let next = try await lab.register()
            #expect(try #require(await lab.claim(next).first).wasSent)
        }
    }

    @Test func changedSecretsChangeTheSessionVersion() async throws {
        try await StoreLab.with { lab in
            let sessions = Sessions(pool: lab.pool)
            func put(_ fingerprint: String) async throws -> Int64 {
                var configuration = try SessionConfiguration.parse([
                    "http_additional_headers": ["A": "1"]
                ]).get()
                let secrets = try #require(configuration.secrets)
                configuration.shape = SessionShape(secrets, fingerprint: fingerprint)
                return try #require(
                    await sessions.put(
                        app: 1, identifier: "s", configuration: configuration, sealed: [1]
                    ).record
                ).version
            }
            #expect(try await put("a") == 1)
            #expect(try await put("a") == 1)
            #expect(try await put("b") == 2)
            #expect(try await lab.number("SELECT count(*) FROM session_secrets") == 2)
            let session = try #require(await sessions.find(app: 1, identifier: "s"))
            #expect(session.configuration.shape?.headerNames == ["A"])
        }
    }
}
