// The query parameters of a route.

/// A parameter of a query: its name and how it is written.
struct Parameter: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The form in which it is written.
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
    /// The form in which it is written.
    let kind: Kind

    /// Creates a parameter with a single value.
    init(stringLiteral name: String) { (self.name, kind) = (name, .single) }

    private init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Creates a parameter with a list of values.
    static func list(_ name: String) -> Parameter { Parameter(name, .list) }

    /// Creates a parameter with named values.
    static func map(_ name: String) -> Parameter { Parameter(name, .map) }
}
