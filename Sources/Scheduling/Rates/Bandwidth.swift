// The policy's rate limits: for the deployment, for classes, apps, sessions and origins.
internal import Base
package import Downloads

/// The policy's `bandwidth`: timetables for the deployment and for parts of it; a transfer obeys
/// all that apply to it.
///
/// Each rate is that of all replicas together; the timetables use the policy's time zone.
package struct Bandwidth: Equatable, Sendable {
    /// The rate of everything together; nil without a limit.
    package var deployment: Timetable?
    /// The rate of each session by its identifier.
    var sessions = PatternTable<Timetable>()
    /// The rate of each origin by its host, or host and port.
    var origins = PatternTable<Timetable>()
    /// The rate of each app by its name.
    var apps = PatternTable<Timetable>()
    /// The rate of each scheduling class.
    var classes: [SchedulingClass: Timetable] = [:]
    /// The rates from the policies of apps: for the whole app, and for its sessions.
    var ofApps: [KeyText: Bandwidth] = [:]

    /// Creates rates with a timetable for the deployment only, or without any limit.
    package init(deployment: Timetable? = nil) { self.deployment = deployment }

    /// The timetable of a session, or nil without one.
    package func session(_ identifier: String) -> Timetable? { sessions.value(of: identifier) }

    /// The timetable of an app by its name, or nil without one.
    package func app(_ name: String) -> Timetable? { apps.value(of: name) }

    /// The timetable of a class, or nil without one.
    package func timetable(of schedulingClass: SchedulingClass) -> Timetable? {
        classes[schedulingClass]
    }

    /// The timetable of an origin.
    ///
    /// - Parameters:
    ///   - host: as `SourceURL.host` spells it.
    ///   - port: its port.
    /// - Returns: that of host and port, else of the host, else of the longest `*.` domain, else
    ///   of `*`; nil without one.
    package func origin(host: String, port: Int) -> Timetable? {
        origins.value(host: host, port: port)
    }

    /// The timetable of an origin as `SourceURL.origin` spells it.
    package func origin(_ origin: String) -> Timetable? { origins.value(ofOrigin: origin) }

    /// Whether any origin has a rate.
    var hasOrigins: Bool { !origins.isEmpty }

    /// Whether any app or class has a rate.
    var hasAppsOrClasses: Bool { !apps.isEmpty || !classes.isEmpty || !ofApps.isEmpty }

    /// Whether any rate is 0 at some time.
    package var canStop: Bool { deployment?.canStop == true || canStopSome }

    /// Whether a rate of a session, origin, app or class is 0 at some time.
    package var canStopSome: Bool {
        sessions.values.contains(where: \.canStop) || apps.values.contains(where: \.canStop)
            || classes.values.contains(where: \.canStop) || canStopOrigins
            || ofApps.values.contains(where: \.canStop)
    }

    /// Whether a rate of an origin is 0 at some time.
    package var canStopOrigins: Bool { origins.values.contains(where: \.canStop) }
}
