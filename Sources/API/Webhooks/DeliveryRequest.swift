// The query of a list of deliveries, and the cursor of its next page.
internal import Base
internal import HTTPWire
internal import Store

/// The query of a list of deliveries, read and validated.
struct DeliveryRequest: Sendable {
    /// Its parameters, without the endpoint.
    static let parameters: [Parameter] = ["limit", "cursor", "state", "download"]

    /// The selected deliveries.
    private(set) var filter = DeliveryFilter()
    /// The most deliveries of a page, 1 to 200.
    let limit: Int
    /// Only deliveries with lower numbers; nil for the newest.
    let before: Int64?
    /// The parameters as given, without limit and cursor.
    private let given: [(name: String, value: String)]

    /// Reads the parameters.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - names: how clients see deliveries.
    /// - Throws: `validation-failed`.
    init(_ query: Query, _ names: PublicNames) throws(Problem) {
        given = query.pairs.filter { $0.name != "cursor" && $0.name != "limit" }
        limit = try query.integer("limit", in: 1...200) ?? 50
        if let text = query["cursor"] {
            guard let number = Identifier(digits: text).flatMap(names.deliveryNumber) else {
                throw .invalid("?cursor", "must be a next_cursor that this list gave")
            }
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
            guard let id = Identifier(transfer: text) else {
                throw .invalid(
                    "?download",
                    "must be the identifier of a download: dl_ and 26 letters and digits")
            }
            filter.download = id
        }
    }

    /// The path and query of the page with a cursor.
    func path(_ path: String, cursor: String) -> String {
        given.reduce("\(path)?limit=\(limit)&cursor=\(cursor)") {
            $0 + "&\($1.name)=\($1.value)"
        }
    }
}
