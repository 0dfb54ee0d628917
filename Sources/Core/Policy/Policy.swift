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

/// One rule: for the downloads that match, every requirement has to hold.
package struct PolicyRule: Equatable, Sendable {
    /// Its name, as blockers tell it.
    package var name: String
    /// Only downloads of this kind; nil means both.
    package var isDiscretionary: Bool?
    /// Only downloads of this session; nil means all.
    package var session: String?
    /// Names of windows that have to be open.
    package var windows: [String]

    /// True if the rule speaks of such a download.
    package func matches(isDiscretionary: Bool, session: String) -> Bool {
        if let wanted = self.isDiscretionary, wanted != isDiscretionary { return false }
        if let wanted = self.session, wanted != session { return false }
        return true
    }
}

/// How many downloads may run at once.
package struct PolicyLimits: Equatable, Sendable {
    /// In one replica.
    package var running: Int
    /// From one origin, over all replicas.
    package var perOrigin: Int
    /// Of one session, over all replicas.
    package var perSession: Int

    /// Sets the three.
    package init(running: Int, perOrigin: Int, perSession: Int) {
        self.running = running
        self.perOrigin = perOrigin
        self.perSession = perSession
    }
}
