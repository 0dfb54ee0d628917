// One requirement of a rule.

/// A requirement: a window that is open or closed, or a condition that compares.
package struct Requirement: Hashable, Sendable {
    /// What it is about.
    package enum Subject: Hashable, Sendable {
        /// A window; open, or closed if negated.
        case window(KeyText, isNegated: Bool)
        /// A condition by its name.
        case condition(String, Comparison)
    }

    /// What it is about.
    package let subject: Subject
    /// How long a comparison has to hold without a break before the requirement is met.
    package let hold: Duration
    /// Where a requirement that is met ceases to be; nil where it opens.
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
    /// The requirement in one spelling, which `parse` reads.
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
