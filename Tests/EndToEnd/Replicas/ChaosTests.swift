// Replicas are killed, stopped and cut off, and PostgreSQL is killed, while downloads are created.
import Foundation
import Support
import Synchronization
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ChaosTests {
        /// How often each fault comes; more with LULL_CHAOS, see scripts/chaos.
        private static let rounds =
            ProcessInfo.processInfo.environment["LULL_CHAOS"].flatMap { Int($0) } ?? 1

        private static let settings = [
            "LULL_LEASE": "4s", "LULL_DATABASE_TIMEOUT": "2s", "LULL_RETRY_BASE": "100ms",
            "LULL_RETRY_CAP": "1s", "LULL_MAX_ATTEMPTS": "1000",
            "LULL_MAX_RUNNING_PER_ORIGIN": "32",
            "LULL_WEBHOOK_RETRY_SCHEDULE": "100ms,200ms,500ms,1s,1s,1s,1s,1s,1s,1s,1s,1s",
        ]

        /// What happens to a fleet.
        private enum Fault: CaseIterable {
            /// A replica is killed and started again.
            case kill
            /// A replica is stopped until its lease is over, then continued.
            case stop
            /// The connection breaks before or behind one round, each time another one.
            case cut
            /// PostgreSQL is killed and started again.
            case database
        }

        /// Breaks the connection of the round with the number that is next in turn.
        ///
        /// The rounds of a commit are counted in the order in which they pass: each statement of a
        /// transaction, and COMMIT itself.
        private final class Cutter: Sendable {
            private let state = Mutex((left: Int.max, isBehind: false, turn: 0))

            /// The connection is broken once, some rounds from now.
            func arm() {
                state.withLock { state in
                    state.turn += 1
                    state.left = state.turn / 2 % 40
                    state.isBehind = state.turn % 2 == 1
                }
            }

            /// The fate of the next round.
            func fate() -> DatabaseLink.Fate {
                state.withLock { state in
                    guard state.left < .max else { return .pass }
                    guard state.left == 0 else {
                        state.left -= 1
                        return .pass
                    }
                    state.left = .max
                    return state.isBehind ? .loseAnswer : .loseRequest
                }
            }
        }

        @Test(.timeLimit(.minutes(rounds > 2 ? 240 : 10)))
        func keepsEveryPromiseThroughFaults() async throws {
            var link: DatabaseLink?
            let cutter = Cutter()
            try await Fleet.with({ _, cluster in
                let opened = try DatabaseLink(
                    to: "postgresql:///lull?user=lull&host=\(cluster.sockets)&port=\(cluster.port)"
                ) { _ in cutter.fate() }
                link = opened
                var plan = Fleet.Plan(count: 3, settings: Self.settings)
                plan.url = { _ in opened.url }
                return plan
            }) { fleet in
                let loader = try await Loader(fleet)
                await loader.start()
                var random = SystemRandomNumberGenerator()
                for round in 0..<Self.rounds {
                    for fault in Fault.allCases.shuffled(using: &random) {
                        let pause = Int.random(in: 100...900, using: &random)
                        try await Task.sleep(for: .milliseconds(pause))
                        try await bring(fault, fleet, cutter, round)
                    }
                }
                for index in fleet.replicas.indices { try await fleet.ready(index) }
                try await Task.sleep(for: .seconds(1))
                let load = try await loader.stop()
                try await fleet.expectSound(load, in: fleet.cluster)
            }
            link?.close()
        }

        private func bring(
            _ fault: Fault, _ fleet: Fleet, _ cutter: Cutter, _ round: Int
        ) async throws {
            let index = round % fleet.replicas.count
            switch fault {
            case .kill:
                await fleet.replicas[index].killHard()
                try await fleet.replicas[index].start()
            case .stop:
                try await fleet.signal(index, SIGSTOP)
                try await Task.sleep(for: .seconds(6))
                try await fleet.signal(index, SIGCONT)
            case .cut:
                for _ in 0..<4 {
                    cutter.arm()
                    try await Task.sleep(for: .milliseconds(150))
                }
            case .database:
                await fleet.cluster.killHard()
                try await fleet.cluster.start()
            }
        }
    }
}
