// Hints that arrive, even after the session was lost.
import Postgres
import Support
import Testing

@Suite struct NotificationListenerTests {
    private actor Journal {
        private(set) var events: [ListenerEvent] = []
        func note(_ event: ListenerEvent) { events.append(event) }
    }

    @Test func receivesNotificationsAndListensAgainAfterALoss() async throws {
        try await TestDatabase.with { database in
            let journal = Journal()
            var options = ConnectionOptions()
            options.applicationName = "listener"
            let listener = NotificationListener(
                url: database.url, channels: ["due", "with \"quotes\""], options: options)
            let task = Task { await listener.run { await journal.note($0) } }
            let pool = ConnectionPool(url: database.url, size: 1)
            #expect(try await eventually { await journal.events == [.listening] })
            _ = try await pool.query("SELECT pg_notify($1, $2)", ["with \"quotes\"", "ünï"])
            try await pool.script("NOTIFY elsewhere; NOTIFY due")
            #expect(try await eventually { await journal.events.count == 3 })
            _ = try await pool.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1"
                    + " AND datname = current_database()",
                ["listener"])
            #expect(try await eventually { await journal.events.count == 5 })
            try await pool.script("NOTIFY due, 'again'")
            #expect(try await eventually { await journal.events.count == 6 })
            let heard = await journal.events
            #expect(
                heard == [
                    .listening, .notified(channel: "with \"quotes\"", payload: "ünï"),
                    .notified(channel: "due", payload: ""), .interrupted, .listening,
                    .notified(channel: "due", payload: "again"),
                ])
            task.cancel()
            await task.value
            await pool.close()
        }
    }
}
