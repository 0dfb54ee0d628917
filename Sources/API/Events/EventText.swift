// Server-sent events as text (WHATWG HTML, section 9.2).
internal import Base
internal import Downloads
internal import Store

/// The lines of an event stream.
enum EventText {
    /// The media type of a stream.
    static let mediaType = "text/event-stream"
    /// The time for which a client waits before it connects again, in milliseconds.
    static let retry = "retry: 3000\n\n"

    /// An event; its data is byte for byte the body of the webhook, or the part that the reader may
    /// see.
    static func event(
        _ event: JournalEvent, _ names: PublicNames, for grant: KeyGrant?, _ view: DownloadView
    ) -> String {
        block(
            id: names.cursor(event.position), name: event.message.name,
            data: String(decoding: event.message.body(for: grant, view), as: UTF8.self))
    }

    /// The progress of a download: no event of the journal, so it has no id.
    ///
    /// A client that reconnects continues behind the last event with an id.
    static func progress(_ note: ProgressNote, _ view: DownloadView) -> String {
        let data = String(decoding: note.body(view), as: UTF8.self)
        return "event: \(EventType.progress.name(of: note.download))\ndata: \(data)\n\n"
    }

    /// An event that reports that events before `oldest` are no longer kept.
    static func gap(
        _ place: JournalPosition, oldest: JournalPosition, _ names: PublicNames
    ) -> String {
        let data: JSONObject = ["oldest_cursor": .string(names.cursor(oldest))]
        return block(
            id: names.cursor(place), name: "gap", data: JSON.object(data).text)
    }

    /// An event that tells why the stream ends: it is named after the problem, and has no id.
    static func ending(_ problem: Problem) -> String {
        let data: JSONObject = [
            "type": .string(problem.kind.path), "status": .integer(Int64(problem.kind.status)),
            "detail": .string(problem.detail),
        ]
        return "event: \(problem.kind.rawValue)\ndata: \(JSON.object(data).text)\n\n"
    }

    /// An id without an event: a client that reconnects continues from there.
    static func place(_ position: JournalPosition, _ names: PublicNames) -> String {
        "id: \(names.cursor(position))\n\n"
    }

    /// A comment that clients skip; it keeps proxies from closing an idle connection.
    static func comment(_ words: String) -> String { ": \(words)\n\n" }

    private static func block(id: String, name: String, data: String) -> String {
        // Our JSON has no line ends.
        "id: \(id)\nevent: \(name)\ndata: \(data)\n\n"
    }
}

extension WebhookMessage {
    /// The body for a reader of the journal.
    ///
    /// The token of a wake completes it without a key. It is for the receivers of webhooks, and not
    /// for every key that reads events.
    func body(for grant: KeyGrant?, _ view: DownloadView) -> [UInt8] {
        if view == .row, type.subject == .download { return EventRow.body(body) }
        guard type.subject == .session, let grant, !grant.scopes.contains(.webhooks) else {
            return body
        }
        do throws(JSONError) {
            guard var message = try JSON.parse(body).objectValue,
                var data = message["data"]?.objectValue
            else { return Array("{}".utf8) }
            data["wake_token"] = nil
            message["data"] = .object(data)
            return JSON.object(message).serialized()
        } catch {
            return Array("{}".utf8)
        }
    }
}
