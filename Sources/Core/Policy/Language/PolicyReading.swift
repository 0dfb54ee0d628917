/// What came of reading a policy document.
package struct PolicyReading: Sendable {
    /// The policy; nil where a finding is an error.
    package let policy: Policy?
    /// Everything to say about the document, errors first, each kind in the document's order.
    package let findings: [PolicyFinding]
    /// How many errors there are besides those that are listed.
    package let omitted: Int

    /// Names all of it.
    init(policy: Policy?, findings: [PolicyFinding], omitted: Int = 0) {
        self.policy = policy
        self.findings = findings
        self.omitted = omitted
    }

    /// The errors, as any document has them.
    package var errors: FieldErrors {
        var errors = FieldErrors(findings.filter { $0.level == .error }.map(\.error))
        if omitted > 0 { errors.omit(omitted) }
        return errors
    }

    /// What is not an error.
    package var remarks: [PolicyFinding] { findings.filter { $0.level != .error } }
}
