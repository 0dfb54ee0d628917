// Looks at sessions with news, and wakes their clients.
internal import Downloads
internal import Platform
internal import Store

/// Runs when downloads end and at the first instant of a wake; reads only sessions that are due.
///
/// A session whose downloads end one after the other is looked at five times a second at most,
/// because a look costs eight statements. With twenty looks a second they were half of all
/// statements for small files.
struct SessionWatch: IndependentDuty {
    private static let erasedAtOnce = 200
    /// The most full rounds of one turn; further sessions wait for the next one.
    private static let roundsAtMost = 50

    let name = "sessions"
    let spacing = Duration.milliseconds(200)
    let wakes: Wakes
    let settings: WakeSettings
    let tally: WakeTally
    /// Called when deliveries were written.
    let delivered: @Sendable () -> Void

    func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        var round: Wakes.Round
        var rounds = 0
        repeat {
            rounds += 1
            // Called after each commit, because a later part may fail.
            round = try await wakes.look(settings) { part in
                note(part, context)
                if part.hasEvents { delivered() }
            }
        } while round.hasMore && rounds < SessionWatch.roundsAtMost && context.isWorking
        var erased = 0
        repeat {
            erased = try await wakes.erase(limit: SessionWatch.erasedAtOnce)
        } while erased == SessionWatch.erasedAtOnce && context.isWorking
        if round.isPart || round.hasMore { return .after(spacing) }
        return round.next.map { .until($0) } ?? .untilCalled
    }

    private func note(_ round: Wakes.Round, _ context: DutyContext) {
        for wake in round.sent {
            tally.count(wake.delivery == 1 ? .sent : .repeated)
            context.log.debug(
                "session woken",
                [
                    ("reasons", .string(wake.reasons.names.joined(separator: ","))),
                    ("delivery", .integer(Int64(wake.delivery))),
                ])
        }
        for wake in round.abandoned {
            tally.count(.abandoned)
            context.log.warn(
                "wake given up, because the client has not completed it",
                [("deliveries", .integer(Int64(wake.delivery)))])
        }
        if round.finished > 0 { tally.count(.finished, round.finished) }
    }
}
