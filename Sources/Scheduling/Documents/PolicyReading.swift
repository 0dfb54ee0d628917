package import Base

/// The result of reading a policy document.
package struct PolicyReading: Sendable {
    /// The policy; nil if a finding is an error.
    package let policy: Policy?
    /// All findings, errors first, each kind in the document's order.
    package let findings: [PolicyFinding]
    /// The number of errors beyond the listed ones.
    package let omitted: Int

    /// Creates a value with all its members.
    init(policy: Policy?, findings: [PolicyFinding], omitted: Int = 0) {
        self.policy = policy
        self.findings = findings
        self.omitted = omitted
    }

    /// The errors as those of a document of any kind.
    package var errors: FieldErrors {
        var errors = FieldErrors(findings.filter { $0.level == .error }.map(\.error))
        if omitted > 0 { errors.omit(omitted) }
        return errors
    }

    /// The findings that are no errors.
    package var remarks: [PolicyFinding] { findings.filter { $0.level != .error } }
}
