// Random header fields of requests that bring bytes, through the real server.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TusFuzzTests {
        /// The number of requests: 300, or `LULL_TUS_FUZZ`.
        private static let count =
            ProcessInfo.processInfo.environment["LULL_TUS_FUZZ"].flatMap { Int($0) } ?? 300

        private static let seed =
            ProcessInfo.processInfo.environment["LULL_TUS_SEED"].flatMap { UInt64($0) } ?? 1

        /// What the client prints at its end.
        private struct Totals: Decodable {
            let uploads: Int
            let statuses: [String: Int]
            let faults: [String]
        }

        @Test(.timeLimit(.minutes(15)))
        func noHeaderFieldMakesAFileWrong() async throws {
            try await World.with { world in
                try await Taker.with(in: world.scratch) { taker in
                    let digest = try await world.origin.makeFile("fuzz", length: 20_000)
                    let result = try await ChildProcess.run(
                        try Repository.python(),
                        [
                            Repository.path("Tests/Receiver/tus_fuzz.py"), "\(Self.seed)",
                            "\(Self.count)", world.lull.base, "\(taker.bases[0])/whole",
                            world.origin.files + "/fuzz",
                        ])
                    try #require(result.status == 0, "\(result.output)")
                    let totals = try JSONDecoder().decode(
                        Totals.self, from: Data(result.output.utf8))
                    #expect(totals.faults.isEmpty)
                    #expect(totals.statuses["204", default: 0] > 0, "\(totals)")
                    #expect(totals.statuses.count > 5, "\(totals)")
                    for number in 0..<totals.uploads {
                        try await eventually("fuzz-\(number) at its receiver") {
                            try taker.requests(of: "fuzz-\(number)").contains(where: \.whole)
                                ? () : nil
                        }
                        #expect(try await taker.digest(of: "fuzz-\(number)") == digest)
                    }
                    #expect(try await Curl.get("\(world.lull.base)/livez").status == 200)
                    let told = "fuzz of tus: \(totals.uploads) uploads, \(totals.statuses)\n"
                    FileHandle.standardError.write(Data(told.utf8))
                }
            }
        }
    }
}
