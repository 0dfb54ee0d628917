package import Base
package import Downloads

/// The database's count of all replicas' runs, and limits that were changed at other replicas.
package struct RateCensus: Sendable, Equatable {
    /// The number of replicas that hold a lease, this one included.
    package var replicas = 1
    /// Runs of all replicas.
    package var running = 0
    /// Runs of all replicas by session.
    package var runningOfSessions: [Int64: Int] = [:]
    /// Runs of all replicas by origin.
    package var runningOfOrigins: [Int64: Int] = [:]
    /// Runs of all replicas by app.
    package var runningOfApps: [Int64: Int] = [:]
    /// Runs of all replicas by class; nil if they were not counted.
    package var runningOfClasses: [SchedulingClass: Int]?
    /// `max_bytes_per_second` of the sessions that have one.
    package var limitsOfSessions: [Int64: Int64] = [:]
    /// `max_bytes_per_second` of the downloads that have one.
    package var limitsOfDownloads: [Identifier: Int64] = [:]

    /// Creates the census of one replica without runs.
    package init() {}
}
