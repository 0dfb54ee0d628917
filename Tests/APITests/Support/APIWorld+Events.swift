// Reading the journal as a test expects it.
import Core

extension APIWorld {
    /// Asks until a page has so many events, for a minute at most: the journal waits for
    /// transactions that began before, and other tests have theirs on the same server.
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
