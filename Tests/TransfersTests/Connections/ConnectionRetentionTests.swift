// The connections that are kept while very many origins are asked.
import Base
import Support
import Testing

@testable import Transfers

@Suite struct ConnectionRetentionTests {
    private static let second: Int64 = 1_000_000_000

    private static func url(_ place: Int) throws -> SourceURL {
        try SourceURL(parsing: "http://h\(place).test/file")
    }

    /// Asks origins one after the other; returns the turns whose connection is not kept.
    private static func passing(
        _ places: [Int], of retention: inout ConnectionRetention, each pause: Int64 = 1
    ) throws -> [Int] {
        var found: [Int] = []
        for (turn, place) in places.enumerated()
        where try retention.closesAfterUse(url(place), now: Int64(turn) * pause) {
            found.append(turn)
        }
        return found
    }

    @Test func noOriginPassesByWhereTheyAreFew() throws {
        var retention = ConnectionRetention(most: 10)
        #expect(try Self.passing((0..<200).map { $0 % 10 }, of: &retention).isEmpty)
    }

    @Test func newOriginsOfACrowdPassBy() throws {
        var retention = ConnectionRetention(most: 10)
        #expect(try Self.passing(Array(0..<40), of: &retention) == Array(10..<40))
    }

    @Test func anOriginThatIsAskedAgainStays() throws {
        var retention = ConnectionRetention(most: 10)
        let places = Array(0..<15) + [14, 3, 12, 40, 40]
        #expect(try Self.passing(places, of: &retention) == Array(10..<15) + [18])
    }

    @Test func slowOnesAreNoCrowd() throws {
        var retention = ConnectionRetention(most: 10)
        #expect(
            try Self.passing(Array(0..<100), of: &retention, each: 7 * Self.second).isEmpty)
    }

    @Test func aCrowdEnds() throws {
        var retention = ConnectionRetention(most: 10)
        _ = try Self.passing(Array(0..<25), of: &retention)
        #expect(try !retention.closesAfterUse(Self.url(100), now: 61 * Self.second))
    }

    @Test func schemeAndPortTellOriginsApart() throws {
        var retention = ConnectionRetention(most: 1)
        let texts = ["http://a.test/", "https://a.test/", "http://a.test:81/", "http://a.test/x"]
        var found: [Bool] = []
        for text in texts {
            found.append(retention.closesAfterUse(try SourceURL(parsing: text), now: 0))
        }
        #expect(found == [false, true, true, true])
    }

    /// Every name leads to this one server.
    @Test func aCrowdsConnectionsEndWithTheirTransfers() async throws {
        let origin = try OriginServer { _ in OriginStep.answer() }
        defer { origin.close() }
        var configuration = TransferEngine.Configuration(
            destinations: try Destinations.parse("loopback"), userAgent: "Lull/test")
        configuration.answer = { _ in .addresses([IPAddress(v4: 0x7f00_0001)]) }
        let engine = try TransferEngine.open(configuration)
        let most = TransferLimits.connectionsMax
        for place in 0..<(most + 40) {
            let url = "http://h\(place).test:\(origin.port)/"
            #expect(try await engine.fetch(url).newConnections == 1)
            guard place % 64 == 0 || place >= most else { continue }
            // An origin that is soon asked again is known, and its connection is kept after that.
            #expect(try await engine.fetch(url).newConnections == (place < most ? 0 : 1))
            #expect(try await engine.fetch(url).newConnections == 0)
        }
        await engine.close()
    }
}
