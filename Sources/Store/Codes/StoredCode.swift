// The words that SQL has for stored numbers, from which functions/codes.sql is written.
internal import Base
internal import Downloads
internal import Scheduling

/// A kind of number that the tables store, with the word for each.
///
/// SQL gets a number by a function, such as `lull_state('waiting')`. `lull man codes` writes all of
/// these functions.
package struct StoredCode: Sendable {
    /// The SQL function that gives the number of a word.
    let function: String
    /// The columns with such numbers, and the type that names them in Swift.
    let subject: String
    /// The words with their numbers.
    let words: [(word: String, number: Int16)]

    private init(_ function: String, _ subject: String, _ words: [(String, Int16)]) {
        self.function = function
        self.subject = subject
        self.words = words.map { (word: $0, number: $1) }
    }

    /// A code whose words are the names of cases.
    private init<Code: RawRepresentable & CaseIterable>(
        _ function: String, _ subject: String, _ type: Code.Type
    ) where Code.RawValue == Int16 {
        self.init(function, subject, type.allCases.map { ("\($0)".snakeCase, $0.rawValue) })
    }

    /// The names of downloads' events have no prefix in SQL.
    private static let events: [(String, Int16)] = EventType.allCases.map { type in
        let prefix = "download."
        let name = type.name.hasPrefix(prefix) ? type.name.dropFirst(prefix.count) : type.name[...]
        return (String(name.map { $0 == "." ? "_" : $0 }), type.rawValue)
    }

    private static let states: [(String, Int16)] =
        DownloadState.allCases.map { ($0.rawValue, $0.number) }
        + [("joined", DownloadState.joinedNumber)]

    private static let orders: [(String, Int16)] =
        [("none", 0)]
        + [RunOrder.cancel, .suspend, .yield].map { ("\($0)".snakeCase, $0.rawValue) }

    /// All codes.
    static let all: [StoredCode] = [
        StoredCode(
            "lull_event_type",
            "events.type, deliveries.type and the bits of webhook_events: EventType", events),
        StoredCode("lull_outcome", "attempts.outcome: RunOutcome", RunOutcome.self),
        StoredCode(
            "lull_reach", "The finding of an attempt about its origin: OriginReach",
            OriginReach.self),
        StoredCode("lull_state", "queue.state and download_results.state: DownloadState", states),
        StoredCode(
            "lull_lane_flag", "Bits of lane_flags, and their unions: LaneFlags",
            LaneFlags.named.map { ($0.key, $0.value.rawValue) }),
        StoredCode("lull_order", "queue.control: RunOrder, and none", orders),
        StoredCode("lull_session_state", "sessions.state: SessionState", SessionState.self),
        StoredCode("lull_wake_state", "wakes.state: Wake.State", Wake.State.self),
        StoredCode(
            "lull_session_news", "session_news.kind: SessionNews; the first three are WakeReasons",
            SessionNews.self),
        StoredCode("lull_gate", "gates.kind: GateKind", GateKind.self),
        StoredCode("lull_flight_end", "flight_ends.kind: FlightEndKind", FlightEndKind.self),
        StoredCode("lull_delivery_state", "deliveries.state: DeliveryState", DeliveryState.self),
        StoredCode("lull_content_phase", "contents.phase: ContentPhase", ContentPhase.self),
        StoredCode("lull_standing", "receivers.standing: ReceiverStanding", ReceiverStanding.self),
        StoredCode(
            "lull_budget_counts", "Bytes that a budget counts: Budget.Direction",
            zip(Budget.Direction.allCases.map(\.rawValue), Int16(1)...).map { ($0, $1) }),
        StoredCode(
            "lull_look_outcome", "source_looks.outcome: LookOutcome",
            LookOutcome.allCases.map { ($0.name, $0.rawValue) }),
    ]

    /// The text of functions/codes.sql.
    package static let sql =
        """
        -- The numbers that the tables store, by name. `lull man codes` writes this file from the
        -- Swift types that are named here; a test compares it. With a constant argument the
        -- planner puts the number in place of the call, so that indexes are used as with the
        -- number itself. The functions are written in plpgsql, because the planner executes such a
        -- call once: a call in SQL would be parsed and planned again at each place in each
        -- statement. An unknown name gives NULL; a test looks for unknown names in the text of all
        -- functions.

        """ + all.map { "\n" + $0.sql + "\n" }.joined()

    private var sql: String {
        let cases = words.map { "\n        WHEN '\($0.word)' THEN \($0.number)" }
        return """
            -- \(subject).
            CREATE FUNCTION \(function)(p_name text) RETURNS smallint
            LANGUAGE plpgsql IMMUTABLE AS $$
            BEGIN
                RETURN (CASE p_name\(cases.joined())
                    END)::smallint;
            END $$;
            """
    }
}
