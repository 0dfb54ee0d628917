/// A truth value with a third one for unknown (Kleene's logic).
package enum Truth: String, Sendable {
    /// True.
    case met
    /// False.
    case unmet
    /// It depends on an unknown value.
    case unknown

    /// The truth of a boolean.
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
