/// Kleene's third value beside true and false.
package enum Truth: String, Sendable {
    /// It holds.
    case met
    /// It does not.
    case unmet
    /// What it depends on is not known.
    case unknown

    /// Of a truth value.
    init(_ value: Bool) { self = value ? .met : .unmet }

    /// Whether both hold.
    func and(_ other: Truth) -> Truth {
        if self == .unmet || other == .unmet { return .unmet }
        return self == .met && other == .met ? .met : .unknown
    }

    /// The opposite; unknown stays unknown.
    var negated: Truth {
        switch self {
        case .met: .unmet
        case .unmet: .met
        case .unknown: .unknown
        }
    }
}
