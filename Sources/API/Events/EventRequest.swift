// The parameters of a request for events.
internal import Core
internal import HTTPWire
internal import Store

/// The query of a reader, read and judged.
struct EventRequest: Sendable {
    /// The parameters for one download.
    static let parameters: [Parameter] = ["after", .list("types"), "limit", "wait"]

    /// How a reader names a place in the journal.
    enum Place: Sendable, Equatable {
        /// By the cursor that a page or a stream gave.
        case cursor(JournalPosition)
        /// By the event before it, as a webhook names it.
        case event(Identifier)
    }

    /// Whether events are sent as they come.
    let isStream: Bool
    /// Behind which place; nil for the beginning, or now in a stream of the whole journal.
    let after: Place?
    /// Only of these types; empty for all.
    let types: Set<EventType>
    /// Only of this session.
    let session: String?
    /// How many on a page, 1 to 200.
    let limit: Int
    /// How long a page is held while it is empty, or a stream lasts; nil for no end.
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
        types = try query.list("types").map(EventRequest.types) ?? []
        session = query["session"]
        if let session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        let begin = try query["after"].map { text throws(Problem) in
            try EventRequest.place(text, names, at: "?after")
        }
        let last = call.fields(.lastEventID).first.flatMap { $0.isEmpty ? nil : $0 }
        // A client that connects again sends the URL of the first time, so the field is newer.
        after =
            try last.map { text throws(Problem) in
                try EventRequest.place(text, names, at: "Last-Event-ID")
            } ?? begin
    }

    /// Whether a stream shows how far running downloads are.
    var wantsProgress: Bool { types.isEmpty || types.contains(.progress) }

    private static func place(
        _ text: String, _ names: PublicNames, at place: String
    ) throws(Problem) -> Place {
        if let position = names.place(text) { return .cursor(position) }
        if let event = Identifier(text, kind: .event) { return .event(event) }
        throw .invalid(
            place,
            "must be a cursor, as a page has it and a stream sends it as id, or an event's id, "
                + "evt_ and 26 letters and digits")
    }

    private static func types(_ names: [String]) throws(Problem) -> Set<EventType> {
        switch EventType.mask(names: names) {
        case .success(let mask):
            return Set(EventType.allCases.filter { $0.mask & mask != 0 })
        case .failure(let unknown):
            let known = EventType.known
            throw .invalid("?types", "has the unknown type \"\(unknown.name)\"; known are \(known)")
        }
    }
}
