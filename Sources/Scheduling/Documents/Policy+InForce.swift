// Combines the deployment's policy document with those of its apps.
package import Base

extension Policy {
    /// The policy document of an app.
    package struct AppDocument: Sendable {
        /// The app's name.
        package var app: String
        /// Its document.
        package var document: JSONObject

        /// Creates a value with both members.
        package init(app: String, document: JSONObject) {
            self.app = app
            self.document = document
        }
    }

    /// Reads an app's document over the deployment's policy.
    package static func read(
        _ document: JSON, of app: String, over base: Policy, isZone: (String) -> Bool
    ) -> PolicyReading {
        // Limits that the document leaves out are the deployment's.
        read(
            document, shape: PolicyShape.app, defaults: PolicyLimits(perOrigin: .max), over: base,
            of: app, isZone: isZone)
    }

    /// Reads all documents.
    ///
    /// - Parameters:
    ///   - document: the deployment's.
    ///   - apps: those of apps.
    ///   - defaults: the limits where the document has none.
    ///   - bandwidth: the deployment's rates where the document has none.
    ///   - isZone: true for a time zone name that the system has rules for.
    /// - Returns: the policy; none where the deployment's document has an error, or an app's has
    ///   one over it, as where a window that it names is gone.
    package static func inForce(
        _ document: JSON, apps: [AppDocument], defaults: PolicyLimits,
        bandwidth: Timetable? = nil, isZone: (String) -> Bool
    ) -> PolicyReading {
        let reading = read(document, defaults: defaults, bandwidth: bandwidth, isZone: isZone)
        guard let base = reading.policy, !apps.isEmpty else { return reading }
        var own: [KeyText: Policy] = [:]
        var findings: [PolicyFinding] = []
        for app in apps {
            let reading = read(.object(app.document), of: app.app, over: base, isZone: isZone)
            own[KeyText(app.app)] = reading.policy
            guard reading.policy == nil, let first = reading.findings.first else { continue }
            findings.append(
                PolicyFinding(
                    "#", .error,
                    "makes the policy of the app \"\(app.app)\" invalid: there, \(first.pointer) "
                        + "\(first.detail)"))
        }
        guard findings.isEmpty else {
            return PolicyReading(policy: nil, findings: findings + reading.findings)
        }
        return PolicyReading(policy: base.adding(own), findings: reading.findings)
    }
}
