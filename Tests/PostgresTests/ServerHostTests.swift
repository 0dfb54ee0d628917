// Several hosts in one URL: each is tried, whatever happened at the hosts before it.
import Foundation
import Support
import Testing

@testable import Postgres

@Suite struct ServerHostTests {
    @Test(
        arguments: [
            ("postgresql://u@a:1,b:2/db", [["host=a", "port=1"], ["host=b", "port=2"]]),
            ("postgresql://u@a,b:2/db", [["host=a"], ["host=b", "port=2"]]),
            ("host=a,b port=7 dbname=x", [["host=a", "port=7"], ["host=b", "port=7"]]),
            (
                "postgresql:///db?host=/tmp/x,/tmp/y&port=3,4",
                [["host=/tmp/x", "port=3"], ["host=/tmp/y", "port=4"]]
            ),
            ("postgresql://u@a:1/db", [["host=a", "port=1"]]),
            ("dbname=x", []), ("postgresql://[", []),
        ] as [(String, [[String]])])
    func hostsOfURLs(_ url: String, _ expected: [[String]]) {
        let found = ServerHost.list(in: url).map { $0.parameters.map { "\($0.0)=\($0.1)" } }
        #expect(found == expected)
    }

    /// The first accepts connections and closes them, as a proxy without its server does.
    @Test func aHostThatClosesConnectionsIsPassedOver() async throws {
        try await TestDatabase.with { database in
            let link = try DatabaseLink(
                to: "postgresql:///x?host=/nonexistent-server&port=5432")
            let dead = try #require(ServerHost.list(in: link.url).first)
            let live = try #require(ServerHost.list(in: database.url).first)
            func value(_ name: String, _ host: ServerHost) -> String {
                host.parameters.first { $0.0 == name }?.1 ?? ""
            }
            let url = database.url
                .replacing(
                    "host=" + value("host", live),
                    with: "host=" + value("host", dead) + "," + value("host", live)
                )
                .replacing(
                    "port=" + value("port", live), with: "port=5432," + value("port", live))
            #expect(ServerHost.list(in: url).count == 2)
            let connection = PostgresConnection(url: url)
            try await connection.open()
            #expect(try await connection.query("SELECT 1")[0].get(0, as: Int.self) == 1)
            await connection.close()
            link.close()
        }
    }
}
