// Bytes a second from measurements at irregular times.
import Base
import Testing
import Trees

@testable import Downloads
@testable import Scheduling

@Suite struct SpeedEstimateTests {
    private func estimate(_ measures: [(seconds: Double, bytes: Int64)]) -> SpeedEstimate {
        var estimate = SpeedEstimate()
        for (seconds, bytes) in measures {
            estimate.measure(bytes, at: Timestamp(microseconds: Int64(seconds * 1_000_000)))
        }
        return estimate
    }

    @Test func speedIsNilBeforeTwoMeasures() {
        #expect(SpeedEstimate().bytesPerSecond == nil)
        #expect(estimate([(0, 0), (1, 0), (2, 0)]).bytesPerSecond == nil)
        #expect(estimate([(1, 5000)]).bytesPerSecond == nil)
        #expect(estimate([(1, 5000), (1, 6000)]).bytesPerSecond == nil)
    }

    @Test func bytesOfEarlierAttemptsDoNotCount() {
        #expect(estimate([(0, 0), (1, 1_000_000), (2, 1_000_100)]).bytesPerSecond == 100)
    }

    @Test(arguments: [0.1, 1.0, 3.0, 25.0], [1.0, 1000, 5e9])
    func steadySpeedIsExact(step: Double, speed: Double) throws {
        let measures = (1...200).map { number -> (Double, Int64) in
            (Double(number) * step, Int64(Double(number) * step * speed) + 1)
        }
        let found = Double(try #require(estimate(measures).bytesPerSecond))
        #expect(abs(found - speed) <= max(1, speed * 0.2 * (speed < 100 ? 1 : 0.01)))
    }

    @Test func theFirstTenSecondsAreTheMean() {
        #expect(estimate([(0, 1), (1, 1001), (2, 1001), (4, 4001)]).bytesPerSecond == 1000)
    }

    @Test(arguments: [1, 2, 5, 10])
    func estimateFollowsANewSpeedWithinAMinute(step: Int64) throws {
        var measures: [(Double, Int64)] = []
        var bytes: Int64 = 1
        for second in stride(from: Int64(0), through: 120, by: Int(step)) {
            measures.append((Double(second), bytes))
            bytes += step * (second < 60 ? 1_000_000 : 1000)
        }
        let found = try #require(estimate(measures).bytesPerSecond)
        #expect((1000...40_000).contains(found))
    }

    @Test func longSilenceGivesZero() {
        var measures: [(Double, Int64)] = [(0, 1), (1, 100_000_001)]
        measures += (2...300).map { (Double($0), 100_000_001) }
        #expect(estimate(measures).bytesPerSecond == 0)
    }

    @Test func fewerBytesResetTheEstimate() {
        let measures: [(Double, Int64)] = [(0, 1), (1, 1001), (2, 500)]
        #expect(estimate(measures).bytesPerSecond == nil)
        #expect(estimate(measures + [(3, 510)]).bytesPerSecond == 10)
        #expect(estimate(measures + [(3, 0)]) == SpeedEstimate())
    }

    @Test func clockSetBackIsIgnored() {
        let measures: [(Double, Int64)] = [(5, 1), (6, 1001)]
        #expect(estimate(measures + [(4, 2000)]) == estimate(measures))
    }

    @Test(arguments: [
        (DownloadState.running, Int64?.some(1000), Int64?.some(100), Int64?.some(9)),
        (.running, nil, 100, nil), (.running, 1000, nil, nil), (.running, 1000, 0, nil),
        (.waiting, 1000, 100, nil), (.running, 50, 100, nil), (.running, .max, 1, nil),
        (.running, 100, 100, 0),
    ])
    func whenItIsWholeFollows(
        state: DownloadState, total: Int64?, speed: Int64?, seconds: Int64?
    ) throws {
        let request = try DownloadRequest.parse(["url": "https://o.example/a"]).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        var download = Download(
            id: Identifier(high: 1, low: 1), request: request, spec: spec, createdAt: .epoch)
        download.state = state
        download.bytesReceived = 100
        download.bytesTotal = total
        download.bytesPerSecond = speed
        download.measuredAt = Timestamp(seconds: 1000)
        #expect(download.completesAt == seconds.map { Timestamp(seconds: 1000 + $0) })
        let object = download.json(blockers: nil)
        #expect(
            object["bytes_per_second"] == (state == .running ? speed : nil).map { .integer($0) }
                ?? .null)
    }
}
