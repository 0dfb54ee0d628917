// The settings of a replica's worker.
package import Downloads

/// The numbers by which a replica works.
package struct WorkerSettings: Sendable {
    /// The most downloads that run at once in this replica.
    package var slots: Int
    /// The time for which the lease lasts without a heartbeat.
    package var lease: Duration
    /// The waits between failed attempts.
    package var retries: RetrySchedule
    /// The interval at which the store is asked for lanes without a hint, with other replicas.
    package var pollInterval: Duration
    /// The interval at which it is asked without other replicas, when this process knows everything
    /// that makes downloads due.
    package var lonelyPollInterval: Duration
    /// The longest delay of a duty after a lost call.
    package var healInterval: Duration
    /// The interval at which progress is written.
    package var reportInterval: Duration
    /// The shortest time between two progress events of a download.
    package var progressEventInterval: Duration
    /// The number of lanes for file work.
    package var fileLanes: Int
    /// Bytes that are kept free on the volume; nil for the default share of it.
    package var minimumFree: Int64?
    /// The default retention of content, in seconds.
    package var contentRetention: Int64
    /// The folders for finished files.
    package var folders = OpenFolders.none
    /// The least number of missing bytes for which several streams are used.
    package var segmentsAtLeast: Int64
    /// The least rest of a piece that is halved, in bytes.
    package var stealsAbove: Int64
    /// The least speed of an answer; nil for no bound.
    package var lowSpeed: LowSpeed?
    /// Whether requests to origins carry the `traceparent` of the create.
    package var tracesOrigins = false
    /// The interval at which the volume is read while decisions may depend on it.
    package var diskInterval: Duration
    /// The interval at which the machine is measured while a rule depends on it.
    package var conditionInterval: Duration
    /// The interval at which measurements are written, and those of other replicas read.
    package var learnInterval: Duration
    /// The settings of wakes.
    package var wakes = WakeSettings.standard
    /// The least time of a run before it is stopped for more urgent work.
    package var yieldsAfter = Duration.seconds(60)
    /// The interval at which rows that are kept for days are searched for old ones.
    package var ageInterval: Duration
    /// The time for which ended downloads are kept; nil for no end.
    package var historyRetention: Duration?
    /// The time for which ended deliveries of webhooks are kept.
    package var deliveryRetention: Duration
    /// The interval at which ended downloads are searched for old ones.
    package var historyInterval: Duration
    /// The interval at which files are searched for those that no row needs.
    package var sweepInterval: Duration
    /// The time for which files without a row stay in quarantine before they are removed; 0 for no
    /// quarantine.
    package var quarantine: Duration
    /// The time for which a file has to be missing before it counts as lost.
    package var missingGrace = MissingFiles.grace
    /// The interval at which missing files are looked for.
    package var missingInterval = Duration.seconds(10)
    /// The time for which a data directory has to be without a replica before its content counts as
    /// lost.
    package var goneAfter: Duration
    /// The time after which a place that has not settled a publication is asked again.
    package var publishPause = Duration.milliseconds(200)
    /// The number of calls in a row without an answer after which a publication is given up; the
    /// bytes are kept for the next attempt.
    package var publishCallsAtMost = 5
    /// The time between two searches for uploads in stores that no download names.
    package var uploadSweep = Duration.seconds(3600)
    /// The age from which such an upload is aborted.
    package var uploadAge = Duration.seconds(86_400)
    /// The shortest time between two searches for expired content.
    package var retentionInterval: Duration

    /// Creates settings with default values.
    package init(slots: Int, lease: Duration, retries: RetrySchedule) {
        precondition(slots > 0 && lease >= .seconds(1), "a replica has slots and a lease")
        self.slots = slots
        self.lease = lease
        self.retries = retries
        pollInterval = .seconds(1)
        lonelyPollInterval = .seconds(60)
        healInterval = .seconds(60)
        conditionInterval = .seconds(5)
        learnInterval = .seconds(60)
        ageInterval = .seconds(600)
        historyRetention = .seconds(30 * 86_400)
        historyInterval = .seconds(3600)
        deliveryRetention = .seconds(7 * 86_400)
        reportInterval = .seconds(1)
        progressEventInterval = .seconds(5)
        fileLanes = 2
        minimumFree = nil
        contentRetention = DeploymentDefaults.standard.contentRetention
        segmentsAtLeast = 64 << 20
        stealsAbove = 16 << 20
        lowSpeed = .standard
        diskInterval = .seconds(1)
        sweepInterval = .seconds(600)
        quarantine = .seconds(86_400)
        goneAfter = .seconds(86_400)
        retentionInterval = .seconds(1)
    }

    /// The time before the end of the lease, as others count it, at which this replica stops
    /// itself.
    var margin: Duration { WorkerSettings.margin(of: lease) }

    /// A sixth of a lease: its rest when this replica stops everything.
    package static func margin(of lease: Duration) -> Duration { lease / 6 }

    /// Time between heartbeats.
    var heartbeatInterval: Duration { lease / 3 }
}
