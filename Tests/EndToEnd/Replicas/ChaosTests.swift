// Replicas are killed, stopped and cut off, and PostgreSQL is killed, while downloads are created.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ChaosTests {
        /// The number of times that each fault comes; LULL_CHAOS sets another, see scripts/chaos.
        private static let rounds =
            ProcessInfo.processInfo.environment["LULL_CHAOS"].flatMap { Int($0) } ?? 1
        /// The number of fleets that suffer side by side; LULL_CHAOS_FLEETS sets another.
        private static let fleets =
            ProcessInfo.processInfo.environment["LULL_CHAOS_FLEETS"].flatMap { Int($0) } ?? 1
        /// The number of rounds after which a fleet's promises are checked and a new fleet begins.
        private static let roundsOfAFleet = 50

        private static let settings = [
            "LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s", "LULL_RETRY_BASE": "100ms",
            "LULL_RETRY_CAP": "1s", "LULL_MAX_ATTEMPTS": "1000",
            "LULL_MAX_RUNNING_PER_ORIGIN": "32",
            "LULL_WEBHOOK_RETRY_SCHEDULE":
                "100ms,200ms,500ms" + String(repeating: ",1s", count: 29),
        ]

        /// The fault of a fleet while one of its replicas is stopped.
        private enum Fault: CaseIterable {
            /// A replica is killed and started again.
            case kill
            /// The connection breaks before or behind one message after the other.
            case cut
            /// PostgreSQL is killed and started again.
            case database
        }

        @Test(.timeLimit(.minutes(rounds > 2 ? 600 : 10)))
        func keepsEveryPromiseThroughFaults() async throws {
            let cutter = LinkCutter()
            let starts = Array(stride(from: 0, to: Self.rounds, by: Self.roundsOfAFleet))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<Self.fleets {
                    group.addTask {
                        for index in stride(from: place, to: starts.count, by: Self.fleets) {
                            let first = starts[index]
                            let last = min(first + Self.roundsOfAFleet, Self.rounds)
                            let accepted = try await run(first..<last, cutter, place)
                            let text =
                                "chaos: rounds \(first + 1) to \(last), \(accepted) downloads, "
                                + "\(cutter.summary), not yet \(cutter.missing)\n"
                            FileHandle.standardError.write(Data(text.utf8))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let missing = cutter.missing
            #expect(Self.rounds < 1000 || missing.isEmpty, "\(cutter.summary)")
        }

        /// Runs some rounds of faults on a new fleet, which is one of those side by side.
        ///
        /// - Returns: the number of downloads that were accepted meanwhile.
        private func run(
            _ rounds: Range<Int>, _ cutter: LinkCutter, _ place: Int
        ) async throws -> Int {
            var link: DatabaseLink?
            var count = 0
            cutter.disarm(place)
            try await Fleet.with({ _, cluster in
                let opened = try DatabaseLink(
                    to: "postgresql:///lull?user=lull&host=\(cluster.sockets)&port=\(cluster.port)"
                ) { cutter.fate(of: $0, on: place) }
                link = opened
                var plan = Fleet.Plan(count: 3, settings: Self.settings)
                plan.url = { _ in opened.url }
                return plan
            }) { fleet in
                let loader = try await Loader(fleet, pause: .milliseconds(200))
                await loader.start()
                for round in rounds { try await bring(round, fleet) { cutter.arm(place) } }
                for index in fleet.replicas.indices { try await fleet.ready(index) }
                try await Task.sleep(for: .seconds(1))
                let load = try await loader.stop()
                count = load.accepted.count
                try await fleet.expectSound(load, in: fleet.cluster)
            }
            link?.close()
            return count
        }

        /// One replica stands still for longer than its lease; the others suffer the other faults.
        private func bring(_ round: Int, _ fleet: Fleet, _ arm: () -> Void) async throws {
            let stopped = round % fleet.replicas.count
            try await fleet.signal(stopped, SIGSTOP)
            let end = ContinuousClock.now + .seconds(6)
            var random = SystemRandomNumberGenerator()
            for fault in Fault.allCases.shuffled(using: &random) {
                let pause = Int.random(in: 100...900, using: &random)
                try await Task.sleep(for: .milliseconds(pause))
                switch fault {
                case .kill:
                    let killed = (stopped + 1) % fleet.replicas.count
                    await fleet.replicas[killed].killHard()
                    try await fleet.replicas[killed].startSupervised()
                case .cut:
                    for _ in 0..<6 {
                        arm()
                        try await Task.sleep(for: .milliseconds(150))
                    }
                case .database:
                    await fleet.cluster.killHard()
                    try await fleet.cluster.start()
                }
            }
            try await Task.sleep(until: end)
            try await fleet.signal(stopped, SIGCONT)
        }
    }
}
