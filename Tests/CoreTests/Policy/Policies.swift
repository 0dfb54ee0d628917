// Policies that several tests use.
import Base
import Scheduling
import Testing

enum Policies {
    static let limits = PolicyLimits(running: 64, perOrigin: 6, perSession: 16)

    /// Reads a document that has to be good.
    static func read(_ text: String) throws -> Policy {
        let document = try JSON.parse(text)
        return try Policy.parse(document, defaults: limits) {
            $0 == "Europe/Berlin" || $0 == "UTC"
        }.get()
    }

    /// An instant.
    static func instant(_ text: String) -> Timestamp { Timestamp(rfc3339: text) ?? .epoch }

    /// A discretionary download that is due, created at an instant.
    static func candidate(
        at now: Timestamp = instant("2026-11-22T12:00:00Z"),
        _ change: (inout AdmissionCandidate) -> Void = { _ in }
    ) -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: true, session: "s", createdAt: now, waitingSince: now, runAt: now,
            attempt: 0, origin: GateReading(), sessionGate: GateReading())
        change(&candidate)
        return candidate
    }

    /// All findings about a document.
    static func reading(_ text: String) throws -> PolicyReading {
        Policy.read(try JSON.parse(text), defaults: limits) { $0 == "Europe/Berlin" || $0 == "UTC" }
    }

    /// Discretionary downloads at night.
    static func nightly() throws -> Policy {
        try read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "at-night", "match": {"is_discretionary": true},
                        "require": ["window night"]}]}
            """)
    }
}

extension ConductorEvent {
    /// A page that holds all lanes.
    static func lanesLoaded(heads: [LaneHead]) -> ConductorEvent {
        .lanesLoaded(LanePage(heads: heads))
    }
}
