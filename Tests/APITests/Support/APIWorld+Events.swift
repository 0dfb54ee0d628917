// Reads of the journal that wait for the expected events.
import Base
import Downloads
import Postgres
import Store
import Testing

extension APIWorld {
    /// Repeats a request until a page has this many events, for a minute at most: the journal waits
    /// for transactions that began before, and other tests have theirs on the server.
    ///
    /// - Returns: the last answer.
    func events(_ count: Int, _ target: String) async throws -> Reply {
        for _ in 0..<6000 {
            let reply = await send("GET", target)
            if reply.json["data"]?.arrayValue?.count ?? 0 >= count { return reply }
            try await Task.sleep(for: .milliseconds(10))
        }
        return await send("GET", target)
    }
}

extension APIWorld {
    /// Makes a session that asks for wakes, ends a download in it, and wakes it.
    ///
    /// - Returns: the wakes that were sent.
    func wakeSession(_ identifier: String) async throws -> [Wake] {
        _ = await send(
            "PUT", "/v1/sessions/\(identifier)",
            #"{"webhook_url":"https://hooks.example/","webhook_events":["session.wake"]}"#)
        let made = await create(#""session":"\#(identifier)""#)
        _ = await send("POST", try #require(made["Location"]) + "/cancel")
        _ = try await pool.query(
            """
            SELECT lull_note_sessions(ARRAY[session_no], ARRAY[lull_session_news('completed')])
            FROM sessions WHERE identifier = $1
            """, [identifier])
        return try await Wakes(pool: pool).look(.standard).sent
    }
}
