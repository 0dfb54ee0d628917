// One requirement of a rule.
package import Base

/// A requirement: a window that is open or closed, or a condition that compares.
package struct Requirement: Hashable, Sendable {
    /// The subject of a requirement.
    package enum Subject: Hashable, Sendable {
        /// A window; open, or closed if negated.
        case window(KeyText, isNegated: Bool)
        /// A condition by its name.
        case condition(String, Comparison)
    }

    /// The window or condition that it names.
    package let subject: Subject
    /// The time for which a comparison has to hold without a break before the requirement is met.
    package let hold: Duration
    /// The comparison that ends a met requirement; nil if it ends when the requirement's own fails.
    package let release: Comparison?

    /// Creates a value with all its members.
    package init(_ subject: Subject, hold: Duration = .zero, release: Comparison? = nil) {
        self.subject = subject
        self.hold = hold
        self.release = release
    }

    /// The window that it names.
    package var window: KeyText? {
        guard case .window(let name, _) = subject else { return nil }
        return name
    }

    /// The condition that it names.
    package var condition: String? {
        guard case .condition(let name, _) = subject else { return nil }
        return name
    }
}

extension Requirement: CustomStringConvertible {
    /// The requirement in the canonical spelling, which `parse` reads.
    package var description: String {
        switch subject {
        case .window(let name, let isNegated): return (isNegated ? "not " : "") + "window \(name)"
        case .condition(let name, let comparison):
            var text = "\(name) \(comparison)"
            if hold > .zero { text += " for \(DurationText.print(hold))" }
            if let release { text += " until \(release)" }
            return text
        }
    }
}
