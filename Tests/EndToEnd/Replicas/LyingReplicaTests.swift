// Anything may answer at a replica's address: only proved bytes are passed on.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct LyingReplicaTests {
        /// Answers that are no proof of anything, as `lying_replica.py` gives them.
        private static let lies = [
            "silence", "plain-404", "plain-410", "plain-500", "plain-204", "plain-200", "redirect",
            "no-proof", "wrong-proof", "other-length", "status-410", "status-206", "first-byte",
            "last-byte", "last-seal", "no-seals", "cut", "cut-last-seal", "empty", "replay",
        ]
        /// The lies that are told behind a proved head and a proved first block.
        private static let lateLies: Set<String> = [
            "last-byte", "last-seal", "no-seals", "cut", "cut-last-seal",
        ]

        @Test(.timeLimit(.minutes(10)))
        func answersWithoutTheirProofAre503AndNeverLostAndNeverPassedAsWhole() async throws {
            try await Fleet.with({ _, _ in Fleet.Plan() }) { fleet in
                for (name, length) in [("small", 100_000), ("large", 600_000)] {
                    _ = try await fleet.origin.makeFile(name, length: length)
                }
                let small = try await fetch("small", fleet)
                let holder = try fleet.holder(of: small)
                let instance = try await newestInstance(fleet)
                var large = try await fetch("large", fleet)
                // Both files are on one replica, whichever it is.
                while try await newestInstance(fleet) != instance {
                    large = try await fetch("large", fleet)
                }
                let other = 1 - holder
                let port = try #require(
                    URL(string: fleet.replicas[holder].base)?.port, "the port of the holder")
                try fleet.scratch.write("none", to: "lie")
                let liar = try ChildProcess(
                    try Repository.python(),
                    [
                        Repository.path("Tests/Receiver/lying_replica.py"),
                        fleet.scratch.file("liar.url"), fleet.scratch.file("lie"), "\(port)",
                    ],
                    environment: Environment.plain, log: fleet.scratch.file("liar.log"))
                do {
                    let address = try await eventually("the address of the liar") { () -> String? in
                        let file = fleet.scratch.file("liar.url")
                        guard FileManager.default.fileExists(atPath: file) else { return nil }
                        let text = try fleet.scratch.read("liar.url")
                        return text.isEmpty ? nil : text
                    }
                    try await fleet.cluster.psql(
                        "UPDATE replicas SET address = '\(address)' "
                            + "WHERE instance = '\(instance)'")
                    try await tell(lies: Self.lies, fleet, other, small, large)
                } catch {
                    Issue.record(error)
                }
                _ = await liar.stop()
            }
        }

        /// Tells a client of the other replica each lie, and the truth after it.
        private func tell(
            lies: [String], _ fleet: Fleet, _ other: Int, _ small: String, _ large: String
        ) async throws {
            let files = [(small, "small"), (large, "large")]
            func expectWhole(_ comment: String) async throws {
                for (id, name) in files {
                    let isWhole = try await fleet.client(other).hasContent(
                        id, equalTo: "\(fleet.origin.files)/\(name)")
                    #expect(isWhole, "\(name) after \(comment)")
                }
            }
            // The true answer arrives through the program between them.
            try await expectWhole("nothing")
            for lie in lies {
                try fleet.scratch.write(lie, to: "lie")
                for (id, name) in files {
                    let url = "\(fleet.replicas[other].base)/v1/downloads/\(id)/content"
                    // A part of a large file may pass before the lie; then the connection breaks.
                    let isLate = name == "large" && Self.lateLies.contains(lie)
                    for arguments in [[], ["-r", "1-"]] {
                        let (status, exit) = try await curl(arguments + [url])
                        #expect(isLate ? exit != 0 : status == "503", "\(lie) \(name) \(status)")
                    }
                }
                let url = "\(fleet.replicas[other].base)/v1/downloads/\(small)/content"
                let (head, _) = try await curl(["-I", url])
                let isSeenByHead =
                    !["first-byte", "last-byte", "last-seal", "no-seals", "cut"]
                    .contains(lie) && !["cut-last-seal", "empty"].contains(lie)
                #expect(head == (isSeenByHead ? "503" : "200"), "HEAD of \(lie)")
                try fleet.scratch.write("none", to: "lie")
                try await expectWhole(lie)
            }
            let events = try await Curl.get("\(fleet.replicas[other].base)/v1/events").body
            #expect(!events.contains("download.content_lost"))
            let log = try await fleet.replicas[other].log()
            #expect(log.contains("status 404 without a proof: another program answers there"))
            let metrics = try await Curl.get("\(fleet.replicas[other].base)/metrics").body
            #expect(metrics.contains("\nlull_content_asked_total{answer=\"unproven\"} "))
            #expect(!metrics.contains("\nlull_content_asked_total{answer=\"unproven\"} 0"))
        }

        private func fetch(_ name: String, _ fleet: Fleet) async throws -> String {
            let id = try await fleet.client(0).create(
                LullClient.Order(url: "\(fleet.origin.base)/\(name)")
            ).id
            let ended = try await fleet.client(0).download(id, wait: 60)
            #expect(ended.state == "succeeded")
            return id
        }

        /// The data directory with the content of the download that was made last.
        private func newestInstance(_ fleet: Fleet) async throws -> String {
            try await fleet.cluster.psql("SELECT instance FROM contents ORDER BY id DESC LIMIT 1")
        }

        /// The status of an answer, and curl's own exit status.
        private func curl(_ arguments: [String]) async throws -> (status: String, exit: Int32) {
            let run = try await ChildProcess.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + arguments)
            return (run.output, run.status)
        }
    }
}
