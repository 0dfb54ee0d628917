// The numbers of states, kinds, outcomes and event types: SQL has them from Swift.
import Downloads
import Postgres
import Testing

@testable import Store

@Suite struct CodesTests {
    @Test func theFileIsWrittenByTheProgram() {
        #expect(Schema.functions[0] == StoredCode.sql, "lull man codes writes it")
    }

    @Test func eachWordHasOneNumber() async throws {
        try await StoreLab.with { lab in
            for code in StoredCode.all {
                #expect(Set(code.words.map(\.word)).count == code.words.count, "\(code.function)")
                #expect(Set(code.words.map(\.number)).count == code.words.count)
                for (word, number) in code.words {
                    let found = try await lab.pool.query("SELECT \(code.function)($1)", [word])[0]
                        .get(0, as: Int16?.self)
                    #expect(found == number, "\(code.function)('\(word)')")
                }
            }
        }
    }

    /// The numbers are in the rows of databases, and never change.
    @Test func numbersOfStatesAndOutcomesStay() {
        let states = DownloadState.allCases.map { "\($0.rawValue) \($0.number)" }
        #expect(
            states == [
                "suspended 2", "waiting 0", "receiving 9", "running 1", "canceling 8",
                "attention_required 3", "succeeded 5", "failed 6", "canceled 7",
            ])
        for state in DownloadState.allCases {
            #expect(DownloadState(number: Int64(state.number)) == state)
        }
        #expect(DownloadState(number: Int64(DownloadState.joinedNumber)) == nil)
        #expect(
            RunOutcome.allCases.map(\.name) == [
                "succeeded", "failed", "retry_scheduled", "canceled", "suspended",
                "attention_required", "yielded", "unreachable", "given_back", "received",
                "unchanged",
            ])
        #expect(RunOutcome.allCases.map(\.rawValue) == Array(1...11))
    }

    @Test func functionsUseKnownWordsOnly() async throws {
        try await StoreLab.with { lab in
            let words = Dictionary(
                uniqueKeysWithValues: StoredCode.all.map { code in
                    (code.function, Set(code.words.map(\.word)))
                })
            let texts = try await lab.pool.query(
                "SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'lull\\_%'")
            var count = 0
            for row in texts {
                let function = try row.get(0, as: String.self)
                let text = try row.get(1, as: String.self)
                for use in text.matches(of: #/\b(lull_[a-z_]+)\('([a-z_]*)'\)/#) {
                    guard let known = words[String(use.output.1)] else { continue }
                    count += 1
                    let isKnown = known.contains(String(use.output.2))
                    #expect(isKnown, "\(function): \(use.output.0)")
                }
            }
            #expect(count > 50)
        }
    }

    /// Indexes and defaults of the tables have numbers, because functions are replaced.
    @Test func partialIndexesServeTheWords() async throws {
        try await StoreLab.with { lab in
            for (index, condition) in [
                ("queue_running", "state = lull_state('running') AND replica_no = 1"),
                ("queue_ready", "state = lull_state('waiting') AND lane_no = 1"),
                ("queue_deadline", "state <> lull_state('running') AND deadline < now()"),
                ("queue_resting", "state > lull_state('running') AND origin_key = 1"),
                ("queue_control", "control <> lull_order('none') AND replica_no = 1"),
                (
                    "queue_flights",
                    """
                    flight = gen_random_uuid() AND joined_to IS NULL
                        AND state IN (lull_state('waiting'), lull_state('running'))
                    """
                ),
            ] {
                let plan = try await lab.pool.transaction { transaction throws(PostgresError) in
                    try await transaction.script("SET LOCAL enable_seqscan = off")
                    return try await transaction.query(
                        "EXPLAIN SELECT 1 FROM queue WHERE \(condition)")
                }
                let lines = try plan.map { try $0.get(0, as: String.self) }
                #expect(lines.contains { $0.contains(index) }, "\(lines)")
            }
        }
    }
}
