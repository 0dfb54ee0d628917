// Raw replies against an engine for a number of seconds: scripts/fuzz builds it with the sanitizer.
import Glibc
import Replies

/// `ReplyFuzz SECONDS [SEED [FIRST]]`: rounds of cases in each role, from the case FIRST on.
@main
enum ReplyFuzz {
    /// The number of cases in a round for most roles; a round has an engine of its own.
    private static let round = 256
    /// The number of cases in a round for tunnels, each of which may cost a TLS context, by far the
    /// dearest part.
    private static let tunnels = 32

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard let seconds = numbers.first else {
            say("usage: ReplyFuzz SECONDS [SEED [FIRST]]")
            exit(2)
        }
        let seed = numbers.count > 1 ? numbers[1] : UInt64(now())
        var first = numbers.count > 2 ? Int(numbers[2]) : 0
        let end = now() + Int(seconds)
        var tally = ReplyTally()
        while now() < end, tally.findings.count < 20 {
            // A crash below can be repeated with these two.
            say("seed \(seed), cases \(first) to \(first + round - 1)")
            let lab = try ReplyLab(seed: seed, silence: .milliseconds(100))
            for role in ReplyRole.allCases {
                let count = role == .tunnel ? tunnels : round
                let played = try await lab.play(first..<(first + count), as: role)
                // Findings are printed at once, so that a run that is ended early has shown its
                // own.
                for finding in played.findings { say("\(finding)") }
                tally.add(played)
            }
            await lab.close()
            first += round
        }
        say(
            "\(tally.cases) cases, \(tally.complete) complete, \(tally.findings.count) findings, "
                + "seed \(seed)")
        if !tally.findings.isEmpty { exit(1) }
    }

    private static func say(_ line: String) {
        _ = unsafe puts(line)
        _ = fflush(nil)
    }

    private static func now() -> Int { time(nil) }
}
