/// The deployment's defaults for values that neither session nor request sets.
package struct DeploymentDefaults: Equatable, Sendable {
    /// Seconds without a byte after which an attempt ends.
    package var requestTimeout: Int64
    /// Seconds from creation, or from a later earliest-begin date, after which a download fails.
    package var resourceTimeout: Int64
    /// Seconds from a download's end for which its file is kept.
    package var contentRetention: Int64
    /// The most streams at once for a large file.
    package var segments: Int64
    /// The most attempts of a client's retry rule.
    package var retryRuleAttempts: Int64 = 100
    /// The most seconds of a client's retry rule.
    package var retryRuleSeconds: Int64 = 604_800

    /// Sets all members.
    package init(
        requestTimeout: Int64, resourceTimeout: Int64, contentRetention: Int64 = 604_800,
        segments: Int64 = 1
    ) {
        self.contentRetention = contentRetention
        self.segments = segments
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
    }

    /// Apple's defaults: a minute, seven days.
    package static let standard = DeploymentDefaults(
        requestTimeout: 60, resourceTimeout: 604_800)
}
