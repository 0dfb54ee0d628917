// When discretionary work may run, and how much of everything at once.

/// The deployment's policy document, read.
package struct Policy: Equatable, Sendable {
    /// The IANA name of the zone in which windows are meant.
    package var timeZone: String
    /// Times of the week by name.
    package var windows: [(name: String, hours: WeeklyWindows)]
    /// What has to hold for which downloads, in the document's order.
    package var rules: [PolicyRule]
    /// How much at once.
    package var limits: PolicyLimits
    /// How fast.
    package var bandwidth: Bandwidth
    /// The document as it was given, echoed.
    package var document: JSONObject

    /// A policy that lets everything run, within the limits given.
    package init(limits: PolicyLimits, bandwidth: Timetable? = nil) {
        timeZone = "UTC"
        windows = []
        rules = []
        self.limits = limits
        self.bandwidth = Bandwidth(deployment: bandwidth)
        document = JSONObject()
    }

    /// The hours of a window.
    package func window(_ name: String) -> WeeklyWindows? {
        windows.first { $0.name == name }?.hours
    }

    /// Two policies are the same if their documents, limits and rates are.
    package static func == (left: Policy, right: Policy) -> Bool {
        left.document == right.document && left.limits == right.limits
            && left.bandwidth == right.bandwidth
    }
}
