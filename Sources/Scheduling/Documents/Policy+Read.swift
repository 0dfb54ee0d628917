// Reads a policy document: checks its shape, then the meaning of its texts.
package import Base

extension Policy {
    /// Reads a policy document.
    ///
    /// - Parameters:
    ///   - document: as the client sent it.
    ///   - shape: what it may have; an app's document has less.
    ///   - defaults: the limits where the document has none.
    ///   - bandwidth: the deployment's rates where the document has none.
    ///   - base: the deployment's policy, for an app's document: it names its windows and
    ///     conditions.
    ///   - app: the app whose document it is.
    ///   - isZone: true for a time zone name that the system has rules for.
    /// - Returns: the policy, and everything to say about the document.
    package static func read(
        _ document: JSON, shape: Shape = PolicyShape.deployment, defaults: PolicyLimits,
        bandwidth: Timetable? = nil, over base: Policy? = nil,
        of app: String = "", isZone: (String) -> Bool
    ) -> PolicyReading {
        var check = ShapeCheck()
        check.check(document, shape, at: "#")
        guard check.findings.isEmpty, case .object(let object) = document else {
            return PolicyReading(
                policy: nil, findings: check.findings + meanings(of: document, base, isZone),
                omitted: check.omitted)
        }
        var reader = PolicyReader(object, defaults, bandwidth, base, of: app)
        reader.readAll(isZone: isZone)
        let errors = reader.findings.filter { $0.level == .error }
        let remarks = reader.findings.filter { $0.level != .error }
        return PolicyReading(
            policy: errors.isEmpty ? reader.policy : nil, findings: errors + remarks)
    }

    /// Reads a policy document; the result is the policy or the errors.
    ///
    /// - Returns: the policy, or every finding that is an error.
    package static func parse(
        _ document: JSON, defaults: PolicyLimits, bandwidth: Timetable? = nil,
        isZone: (String) -> Bool
    ) -> Result<Policy, FieldErrors> {
        let reading = read(document, defaults: defaults, bandwidth: bandwidth, isZone: isZone)
        return reading.policy.map { .success($0) } ?? .failure(reading.errors)
    }

    /// The errors in the time zone of a document whose shape is wrong in other places.
    private static func meanings(
        of document: JSON, _ base: Policy?, _ isZone: (String) -> Bool
    ) -> [PolicyFinding] {
        guard base == nil, let zone = document["time_zone"]?.stringValue,
            TextForm.zone.complaint(zone) == nil, !isZone(zone)
        else { return [] }
        return [PolicyReader.unknownZone]
    }
}
