// The query parameters of a route.

/// A parameter of a query: its name, and how often it may stand.
struct Parameter: Sendable, Equatable, ExpressibleByStringLiteral {
    /// How it is written.
    enum Kind: Sendable, Equatable {
        /// `name=value`, once.
        case single
        /// `name=a,b` or `name=a&name=b`.
        case list
        /// `name[member]=value`, once for each member.
        case map
    }

    /// The name.
    let name: String
    /// How it is written.
    let kind: Kind

    /// A parameter that may stand once.
    init(stringLiteral name: String) { (self.name, kind) = (name, .single) }

    private init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// One whose values may be many.
    static func list(_ name: String) -> Parameter { Parameter(name, .list) }

    /// One whose values have names.
    static func map(_ name: String) -> Parameter { Parameter(name, .map) }
}
