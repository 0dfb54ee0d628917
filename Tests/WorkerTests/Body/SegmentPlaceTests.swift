// Places under the limits of origin and session: taken for further streams and given back.
import Base
import Downloads
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite(.serialized) struct SegmentPlaceTests {
    /// Runs a replica whose file is cut, and stops it in the middle.
    private func with(
        _ test: (Replica, SegmentLab, Identifier) async throws -> Void
    ) async throws {
        let file = SegmentLab()
        try await Replica.with(
            change: {
                $0.segmentsAtLeast = 1000
                $0.stealsAbove = 1 << 40
            }, { file.answer($0) }
        ) { replica, origin in
            defer { file.open() }
            let id = try await replica.submit(origin.url("/f"), ["segments": 4])
            #expect(
                try await eventually {
                    try await extraStreams(replica) == 3
                })
            #expect(try await replica.number("SELECT min(running) FROM gates WHERE kind < 4") == 4)
            #expect(try await eventually { origin.requests.count == 4 })
            try await test(replica, file, id)
            #expect(
                try await eventually {
                    try await replica.number("SELECT sum(running) FROM gates") == 0
                })
            #expect(try await extraStreams(replica) == 0)
        }
    }

    private func extraStreams(_ replica: Replica) async throws -> Int64 {
        try await replica.number("SELECT coalesce(sum(extra_streams), 0) FROM queue")
    }

    @Test func successReleasesExtraStreams() async throws {
        try await with { replica, file, id in
            file.open()
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == SegmentLab.bytes)
            #expect(record.download.json(blockers: nil)["segments"] == 4)
        }
    }

    @Test func cancelReleasesExtraStreams() async throws {
        try await with { replica, _, id in
            _ = try await replica.perform(.cancel, id)
            _ = try await replica.reached(.canceled, id)
        }
    }

    @Test func suspendReleasesExtraStreamsAndResumeTakesThemAgain() async throws {
        try await with { replica, file, id in
            _ = try await replica.perform(.suspend, id)
            _ = try await replica.reached(.suspended, id)
            #expect(try await replica.number("SELECT sum(running) FROM gates") == 0)
            file.open()
            _ = try await replica.perform(.resume, id)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == SegmentLab.bytes)
        }
    }

    @Test func originLimitBoundsExtraStreams() async throws {
        let file = SegmentLab()
        try await Replica.with(
            change: { $0.segmentsAtLeast = 1000 }, { file.answer($0) }
        ) { replica, origin in
            defer { file.open() }
            _ = try await replica.submit(origin.url("/f"), ["segments": 8])
            #expect(
                try await eventually {
                    try await extraStreams(replica) == 5
                })
            #expect(try await eventually { origin.requests.count >= 6 })
            #expect(try await replica.number("SELECT running FROM gates WHERE kind = 1") == 6)
        }
    }
}
