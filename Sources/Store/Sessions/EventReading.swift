// One stream or long poll, which other replicas are told about.
internal import Base
internal import Downloads
internal import Platform
internal import Postgres

/// One reader of new events.
package struct EventReading: Sendable {
    /// The time for which a row is valid unless it is written again.
    private static let validity = Duration.seconds(45)
    private static let renewal = Duration.seconds(10)
    private static let spacing = Duration.milliseconds(500)

    private let journal: Journal
    private let scope: EventReaders.Scope

    init(_ journal: Journal, _ scope: EventReaders.Scope) {
        self.journal = journal
        self.scope = scope
    }

    /// Notes that the reader waits for events behind a place.
    package func begin(at place: JournalPosition?) async {
        let place = journal.changes.readers.change(scope) { group in
            group.open += 1
            if let place { group.place = max(group.place, place) }
            return group.open == 1
        }
        await write(place, for: EventReading.validity)
    }

    /// Notes that events up to a place were written to the reader, or that it still waits.
    package func delivered(_ place: JournalPosition?) async {
        let now = SystemClock.bootNanoseconds()
        let place = journal.changes.readers.change(scope) { group in
            if let place, group.place < place {
                group.place = place
                group.isBehind = true
            }
            let age = Duration.nanoseconds(now - (group.writtenAt ?? 0))
            return age >= (group.isBehind ? EventReading.spacing : EventReading.renewal)
        }
        await write(place, for: EventReading.validity)
    }

    /// Whether the row has to be written again soon.
    package var isBehind: Bool {
        var isBehind = false
        _ = journal.changes.readers.change(scope) { group in
            isBehind = group.isBehind
            return false
        }
        return isBehind
    }

    /// Notes that the reader has left; it may count for some further time.
    package func end(lingering: Duration) async {
        let place = journal.changes.readers.change(scope) { group in
            group.open -= 1
            return group.open == 0
        }
        await write(place, for: lingering)
    }

    /// Without the row a session is woken unnecessarily.
    private func write(_ place: JournalPosition?, for time: Duration) async {
        guard let place else { return }
        do throws(PostgresError) {
            _ = try await journal.pool.query(
                """
                INSERT INTO session_listeners AS l (app_no, session_no, process_no, event_mask,
                    until, xid, journal_no)
                SELECT $1, s.session_no, $3, $4,
                    clock_timestamp() + $5 * interval '1 microsecond', $6::text::xid8, $7
                FROM (SELECT 0::bigint AS session_no WHERE $2::text IS NULL
                    UNION ALL SELECT x.session_no FROM sessions x
                    WHERE x.app_no = $1 AND x.identifier = $2) s
                ON CONFLICT (app_no, session_no, process_no, event_mask) DO UPDATE
                    SET until = excluded.until, xid = excluded.xid,
                        journal_no = excluded.journal_no
                """,
                [
                    scope.app, scope.session, journal.changes.readers.process, scope.mask,
                    time.wholeMicroseconds, "\(place.transaction)", place.number,
                ])
        } catch {
            // The next renewal writes it.
        }
    }
}

extension Journal {
    /// A reader that waits for events; nil for one that reads no ends of downloads.
    package func reading(_ query: JournalQuery) -> EventReading? {
        guard case .app(let app, let session) = query.scope else { return nil }
        guard query.events.bits & EventSet.waking.bits != 0 else { return nil }
        return EventReading(
            self, EventReaders.Scope(app: app, session: session, mask: query.events.bits))
    }
}
