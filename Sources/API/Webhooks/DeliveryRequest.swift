// The query of a list of deliveries, and the cursor of its next page.
internal import Core
internal import HTTPWire
internal import Store

/// The query of a list of deliveries, read and judged.
struct DeliveryRequest: Sendable {
    /// Its parameters, but for the endpoint.
    static let parameters: [Parameter] = ["limit", "cursor", "state", "download"]

    /// Which.
    private(set) var filter = DeliveryFilter()
    /// How many on a page, 1 to 200.
    let limit: Int
    /// Only those with lower numbers; nil for the newest.
    let before: Int64?
    /// The parameters as they were given, but for limit and cursor.
    private let given: [(name: String, value: String)]

    /// Reads the parameters.
    ///
    /// - Throws: `validation-failed`.
    init(_ query: Query) throws(Problem) {
        given = query.pairs.filter { $0.name != "cursor" && $0.name != "limit" }
        limit = try query.integer("limit", in: 1...200) ?? 50
        if let text = query["cursor"] {
            guard let number = Int64(text, radix: 36), number > 0,
                DeliveryRequest.cursor(number) == text
            else { throw .invalid("?cursor", "must be a next_cursor that this list gave") }
            before = number
        } else {
            before = nil
        }
        if let text = query["state"] {
            guard let state = DeliveryView.State(rawValue: text) else {
                let known = DeliveryView.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("?state", "is unknown; known are \(known)")
            }
            filter.state = state
        }
        if let text = query["download"] {
            guard let id = Identifier(text, kind: .download) else {
                throw .invalid("?download", "must be dl_ and 26 letters and digits")
            }
            filter.download = id
        }
    }

    /// The cursor of the page behind a delivery; opaque to clients.
    static func cursor(_ number: Int64) -> String { String(number, radix: 36) }

    /// The path and query of the page behind a delivery.
    func path(_ path: String, before number: Int64) -> String {
        given.reduce("\(path)?limit=\(limit)&cursor=\(DeliveryRequest.cursor(number))") {
            $0 + "&\($1.name)=\($1.value)"
        }
    }
}
