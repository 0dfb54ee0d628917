// The rows of the queue that a forecast reads, and the comparison of forecasts with real begins.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct ForecastSamplesTests {
    @Test func theQueueIsReadAsSumsOfLanes() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3, ["count_of_bytes_client_expects_to_receive": 1000])
            try await lab.submit(2, ["is_discretionary": true])
            try await lab.submit(
                1, ["earliest_begin_date": "2099-01-01T00:00:00Z"])
            try await lab.submit(1, ["priority": 1.0], origin: "https://other.example:443")
            let ledger = try await lab.register()
            let read = try await lab.downloads.forecastReads.queue()
            #expect(read.isWhole && read.runs.isEmpty)
            #expect(read.lanes.count == 3)
            #expect(read.lanes.reduce(0) { $0 + $1.count } == 7)
            let normal = try #require(
                read.lanes.first {
                    $0.candidate.schedulingClass == .normal
                        && $0.candidate.originName == StoreLab.origin
                })
            #expect(normal.batches.map(\.count) == [3, 1])
            #expect(normal.batches[0].bytes == 3000 && normal.batches[0].unsized == 0)
            #expect(normal.batches[1].unsized == 1)
            #expect(normal.candidate.need == 1000 && normal.candidate.session == "default")
            #expect(normal.flow.origin == normal.candidate.originKey)
            let late = try #require(read.lanes.first { $0.candidate.isDiscretionary })
            #expect(late.batches.map(\.unsized) == [2])
            _ = try await lab.claim(ledger)
            let after = try await lab.downloads.forecastReads.queue()
            #expect(after.runs.count == 6 && after.lanes.count == 1)
            #expect(after.runs.count { $0.bytesLeft == 1000 } == 3)
        }
    }

    @Test func forecastsAreComparedWithTheFirstBegin() async throws {
        try await StoreLab.with { lab in
            let samples = lab.downloads.forecastSamples
            #expect(try await samples.choose().isEmpty)
            let ids = try await lab.submit(4)
            let chosen = try await samples.choose()
            #expect(Set(chosen.map(\.id)) == Set(ids))
            #expect(chosen.map(\.before).sorted() == [0, 1, 2, 3])
            let made = try await lab.now() - .seconds(100)
            try await samples.keep(
                ids.map {
                    ForecastSamples.Sample(
                        id: $0, range: ForecastRange([60]), naive: $0 == ids[0] ? nil : 5)
                }, at: made)
            // There is one round in an hour.
            #expect(try await samples.choose().isEmpty)
            #expect(try await samples.score() == 0)
            let ledger = try await lab.register()
            let runs = try await lab.claim(ledger, total: 2)
            #expect(try await samples.score() == 2)
            #expect(try await samples.score() == 0)
            _ = try await ledger.finish([lab.end(runs[0], .succeeded)])
            let scores = try await samples.scores()
            #expect(scores.count == 2)
            for score in scores {
                #expect(score.range.p50 == 60 && abs(score.came - 100) < 60)
            }
            // The download ended without a begin, so it gives no sample.
            _ = try await lab.pool.query("DELETE FROM queue WHERE state = 0")
            _ = try await samples.score()
            #expect(try await lab.number("SELECT count(*) FROM forecast_samples") == 2)
            _ = try await lab.pool.query(
                "UPDATE forecast_samples SET scored_at = scored_at - interval '8 days'")
            _ = try await samples.score()
            #expect(try await samples.scores().isEmpty)
        }
    }
}
