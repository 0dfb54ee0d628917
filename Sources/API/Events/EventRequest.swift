// The parameters of a request for events.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// The query of a reader, read and validated.
struct EventRequest: Sendable {
    /// The parameters for one download.
    static let parameters: [Parameter] = ["after", .list("types"), "limit", "wait", "view"]

    /// The form in which a reader gives a place in the journal.
    enum Place: Sendable, Equatable {
        /// A cursor from a page or a stream.
        case cursor(JournalPosition)
        /// The event before it, as a webhook identifies it.
        case event(Identifier)
    }

    /// Whether events are sent as a stream.
    let isStream: Bool
    /// The place; nil for the beginning, or in a stream of the whole journal for the present.
    let after: Place?
    /// The events by their types.
    let events: EventSet
    /// The session; nil for all.
    let session: String?
    /// The most events of a page, 1 to 200.
    let limit: Int
    /// The form of the downloads in the events' data.
    let view: DownloadView
    /// The time for which an empty page is held, or a stream lasts; nil for no end.
    let wait: Duration?

    /// Reads parameters and fields.
    ///
    /// - Parameters:
    ///   - call: the request.
    ///   - names: how clients see places in the journal.
    /// - Throws: `validation-failed`.
    init(_ call: Call, _ names: PublicNames) throws(Problem) {
        let query = call.query
        isStream = Accept.prefersStream(call.request.headers.all("Accept"))
        limit = try query.integer("limit", in: 1...200) ?? 50
        wait = try query.integer("wait", in: 0...60).map { .seconds($0) }
        view = try DownloadView(query)
        let asked = try query.list("types").map(EventRequest.events) ?? .all
        // A key that may not read uploads gets none of their events.
        events = call.grant.scopes.contains(.readUploads) ? asked : asked.withoutUploads
        session = query["session"]
        if let session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        let begin = try query["after"].map { text throws(Problem) in
            try EventRequest.place(text, names, at: "?after")
        }
        let last = call.fields(.lastEventID).first.flatMap { $0.isEmpty ? nil : $0 }
        // A client that reconnects sends its first URL again, so the field is newer.
        after =
            try last.map { text throws(Problem) in
                try EventRequest.place(text, names, at: "Last-Event-ID")
            } ?? begin
    }

    /// Whether a stream shows the progress of running downloads.
    var wantsProgress: Bool { events.contains(.progress) }

    private static func place(
        _ text: String, _ names: PublicNames, at place: String
    ) throws(Problem) -> Place {
        if let position = names.place(text) { return .cursor(position) }
        if let event = Identifier(text, kind: .event) { return .event(event) }
        throw .invalid(
            place,
            "must be a cursor (of a page, or the id that a stream sends) or the id of an event "
                + "(evt_ and 26 letters and digits)")
    }

    private static func events(_ names: [String]) throws(Problem) -> EventSet {
        switch EventSet.named(names) {
        case .success(let events): return events
        case .failure(let unknown):
            let known = EventType.known
            throw .invalid("?types", "has the unknown type \"\(unknown.name)\"; known are \(known)")
        }
    }
}
