// A row whose file waits to be sent: its lane, the replica that may claim it, and its way back.
import Base
import Downloads
import Scheduling
import Store
import Support
import Testing

@Suite struct RelayRowTests {
    private static let receiver = "https://receiver.example:8443"

    /// The members of a download with a receiver.
    private static func members(hook: Bool = false) -> JSONObject {
        var destination: JSONObject = ["url": .string(receiver + "/in/file")]
        if hook { destination["hook"] = ["url": "https://hooks.example/sign"] }
        return ["destination": .object(destination)]
    }

    /// The end of an attempt that left a whole file in a data directory.
    private static func received(
        _ claim: ClaimedDownload, in lab: StoreLab, at instance: Identifier,
        scheme: FacetScheme = .none
    ) -> RunRecord {
        var run = lab.end(claim, .received)
        var point = ResumePoint(
            mismatches: 0, fence: claim.fence, instance: instance.hexadecimal)
        (point.offset, point.total, point.whole) = (9, 9, true)
        (point.sha256, point.received) = ("00", ReceivedFile())
        run.resume = point
        run.download.bytesReceived = 9
        run.download.bytesTotal = 9
        run.download.holder = point.holder
        run.nextOrigin = receiver
        run.nextLane = RunRecord.NextLane(of: run.download, in: scheme)
        return run
    }

    @Test func onlyTheReplicaWithTheFileClaimsItInTheLaneOfItsReceiver() async throws {
        try await StoreLab.with { lab in
            let (own, other) = (StoreLab.identifier(), StoreLab.identifier())
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submit(1, RelayRowTests.members())[0]
            let first = try #require(try await lab.claim(ledger).first)
            #expect(!first.isSending && first.download.url == StoreLab.origin + "/file")
            let run = RelayRowTests.received(first, in: lab, at: own)
            #expect(try await ledger.finish([run]) == [id])
            let waiting = try #require(try await lab.find(id))
            #expect(waiting.download.isSending && waiting.download.state == .waiting)
            #expect(waiting.candidate?.isHolderAway == false)
            #expect(waiting.candidate?.laneFlags.contains(.sends) == true)

            let stranger = try await lab.register(instance: other)
            #expect(try await lab.heads(stranger).isEmpty)
            let heads = try await lab.heads(ledger)
            #expect(heads.map(\.originName) == [RelayRowTests.receiver])
            let second = try #require(try await lab.claim(ledger).first)
            #expect(second.isSending && second.address == RelayRowTests.receiver + "/in/file")
            #expect(second.resume?.received != nil && second.need == 0)
        }
    }

    @Test func aFileOfAReplicaThatIsAwayIsExplained() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register(instance: StoreLab.identifier())
            let id = try await lab.submit(1, RelayRowTests.members())[0]
            let claim = try #require(try await lab.claim(ledger).first)
            let run = RelayRowTests.received(claim, in: lab, at: StoreLab.identifier())
            _ = try await ledger.finish([run])
            let candidate = try #require(try await lab.find(id)?.candidate)
            #expect(candidate.isHolderAway)
        }
    }

    @Test func aFileThatIsGoneIsFetchedAgainInTheLaneOfItsOrigin() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submit(1, RelayRowTests.members())[0]
            let first = try #require(try await lab.claim(ledger).first)
            _ = try await ledger.finish([RelayRowTests.received(first, in: lab, at: own)])
            let second = try #require(try await lab.claim(ledger).first)
            var run = lab.end(second, .retryScheduled)
            run.download.holder = nil
            run.nextOrigin = StoreLab.origin
            run.nextLane = RunRecord.NextLane(of: run.download, in: .none)
            #expect(try await ledger.finish([run]) == [id])
            #expect(try await lab.find(id)?.download.isSending == false)
            let stranger = try await lab.register(instance: StoreLab.identifier())
            let third = try #require(try await lab.claim(stranger).first)
            #expect(!third.isSending && third.download.url == StoreLab.origin + "/file")
        }
    }

    @Test func theHookOfAReceiverIsAskedBeforeEachTry() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submit(1, RelayRowTests.members(hook: true))[0]
            let first = try #require(try await lab.claim(ledger).first)
            _ = try await ledger.finish([RelayRowTests.received(first, in: lab, at: own)])
            for _ in 0..<2 {
                let heads = try await lab.heads(ledger)
                #expect(heads.allSatisfy { $0.laneFlags.contains([.sends, .unasked]) })
                let quotas = heads.map { LaneQuota(head: $0, count: 9) }
                let hooks = ledger.beginHooks(of: lab.downloads)
                #expect(try await hooks.ask(quotas).asked == [id])
                let question = try #require(try await lab.find(id)).download.sequence
                #expect(try await hooks.pass(id, question: question))
                let claim = try #require(try await lab.claim(ledger).first)
                var run = lab.end(claim, .retryScheduled)
                run.resume = claim.resume
                run.download.bytesReceived = 9
                run.nextLane = RunRecord.NextLane(of: run.download, in: .none)
                #expect(try await ledger.finish([run]) == [id])
            }
        }
    }

    @Test func aDownloadWithoutItsReceiverGoesBackToTheLaneOfItsOrigin() async throws {
        try await StoreLab.with { lab in
            let own = StoreLab.identifier()
            let ledger = try await lab.register(instance: own)
            let id = try await lab.submit(1, RelayRowTests.members())[0]
            let first = try #require(try await lab.claim(ledger).first)
            _ = try await ledger.finish([RelayRowTests.received(first, in: lab, at: own)])
            let old = try #require(try await lab.find(id)).download
            var new = old
            new.spec.relay?.url = "https://other.example/in"
            guard case .done = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
            else {
                Issue.record("the receiver can be changed")
                return
            }
            let elsewhere = try await lab.heads(ledger).map(\.originName)
            #expect(elsewhere.contains("https://other.example:443"))
            let moved = try #require(try await lab.find(id)).download
            new = moved
            new.spec.relay = nil
            _ = try await lab.downloads.change(moved, to: new, origins: nil, app: 1)
            let stranger = try await lab.register(instance: StoreLab.identifier())
            let claim = try #require(try await lab.claim(stranger).first)
            #expect(!claim.isSending && claim.address == StoreLab.origin + "/file")
        }
    }
}
