// The policy's rate limits: for the deployment, for each session, for each origin.

/// The policy's `bandwidth`: timetables for the deployment, for sessions and for origins.
///
/// Each rate holds over all replicas together; the timetables mean the policy's time zone.
package struct Bandwidth: Equatable, Sendable {
    /// A timetable for those that a name means: an exact one, `*.` and a domain, or `*` for each
    /// of the others.
    package struct Entry: Equatable, Sendable {
        /// The name or pattern, in lower case for origins.
        package var name: String
        /// Its rates.
        package var timetable: Timetable
    }

    /// For everything together; nil without a limit.
    package var deployment: Timetable?
    /// For each session by its identifier.
    package var sessions: [Entry]
    /// For each origin by its host, or host and port.
    package var origins: [Entry]

    /// Rates for the deployment alone, or no limit at all.
    package init(deployment: Timetable? = nil) {
        self.deployment = deployment
        sessions = []
        origins = []
    }

    /// The timetable of a session, or nil without one.
    package func session(_ identifier: String) -> Timetable? {
        let own = sessions.first { $0.name == identifier }
        return (own ?? sessions.first { $0.name == "*" })?.timetable
    }

    /// The timetable of an origin.
    ///
    /// - Parameters:
    ///   - host: as `SourceURL.host` spells it.
    ///   - port: its port.
    /// - Returns: that of host and port, else of the host, else of the longest `*.` domain, else
    ///   of `*`; nil without one.
    package func origin(host: String, port: Int) -> Timetable? {
        guard !origins.isEmpty else { return nil }
        for name in ["\(host):\(port)", host] {
            if let entry = origins.first(where: { $0.name == name }) { return entry.timetable }
        }
        let domains = origins.filter {
            $0.name.hasPrefix("*.") && host.hasSuffix($0.name.dropFirst())
                && host.utf8.count >= $0.name.utf8.count
        }
        if let entry = domains.max(by: { $0.name.utf8.count < $1.name.utf8.count }) {
            return entry.timetable
        }
        return origins.first { $0.name == "*" }?.timetable
    }

    /// The timetable of an origin as `SourceURL.origin` spells it.
    package func origin(_ origin: String) -> Timetable? {
        let authority = origin.split(separator: "/").last ?? ""
        guard let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...])
        else { return nil }
        let host = authority[..<colon].filter { $0 != "[" && $0 != "]" }
        return self.origin(host: String(host), port: port)
    }

    /// Whether any rate is 0 at some time.
    package var canStop: Bool { deployment?.canStop == true || canStopSome }

    /// The same for some sessions or origins.
    package var canStopSome: Bool {
        sessions.contains { $0.timetable.canStop } || canStopOrigins
    }

    /// The same for some origins.
    package var canStopOrigins: Bool { origins.contains { $0.timetable.canStop } }
}
