// How a replica works.
package import Core

/// The numbers of a replica.
package struct WorkerSettings: Sendable {
    /// Downloads at once in this replica.
    package var slots: Int
    /// How long work is held without a heartbeat.
    package var lease: Duration
    /// When failed attempts are tried again.
    package var retries: RetrySchedule
    /// How often the store is asked for lanes without a hint while there are other replicas.
    package var pollInterval: Duration
    /// The same without other replicas: all that makes work due is known to this process then.
    package var lonelyPollInterval: Duration
    /// The longest delay of a duty after a lost call.
    package var healInterval: Duration
    /// How often progress is written.
    package var reportInterval: Duration
    /// The shortest time between two progress events of a download.
    package var progressEventInterval: Duration
    /// Lanes for file work.
    package var fileLanes: Int
    /// Bytes that stay free on the volume; nil for the standard part of it.
    package var minimumFree: Int64?
    /// Seconds that content is kept by default.
    package var contentRetention: Int64
    /// Into which whole files may be placed.
    package var folders = OpenFolders.none
    /// Several streams only for a file of which so many bytes are still to come.
    package var segmentsAtLeast: Int64
    /// What is left of a piece is halved only above so many bytes.
    package var stealsAbove: Int64
    /// The least that an answer has to bring; nil for no bound.
    package var lowSpeed: LowSpeed?
    /// Whether origins get the `traceparent` that a create came with.
    package var tracesOrigins = false
    /// How often the volume is read while that may decide.
    package var diskInterval: Duration
    /// How often the machine is read while a rule asks how busy it is.
    package var conditionInterval: Duration
    /// How often what was measured of the world is written, and read of other replicas.
    package var learnInterval: Duration
    /// How sessions are woken.
    package var wakes = WakeSettings.standard
    /// A run is stopped for more urgent work after so long at the earliest.
    package var yieldsAfter = Duration.seconds(60)
    /// How often rows are looked for that are kept for days.
    package var ageInterval: Duration
    /// How long what has ended is kept; nil for ever.
    package var historyRetention: Duration?
    /// How long deliveries of webhooks that ended are kept.
    package var deliveryRetention: Duration
    /// How often what has ended is looked through.
    package var historyInterval: Duration
    /// How often files are looked for that no row needs.
    package var sweepInterval: Duration
    /// How long files rest that no row needs before they are removed; 0 for not at all.
    package var quarantine: Duration
    /// How long a file is missing before it counts as lost.
    package var missingGrace = MissingFiles.grace
    /// How often missing files are looked for.
    package var missingInterval = Duration.seconds(10)
    /// How long a data directory is without a replica before its content counts as lost.
    package var goneAfter: Duration
    /// The least time between two searches for expired content.
    package var retentionInterval: Duration

    /// The defaults, with what is usually configured.
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

    /// The self-stop comes this much before the lease ends, as others count it.
    var margin: Duration { WorkerSettings.margin(of: lease) }

    /// What is left of a lease when this replica stops everything: a sixth.
    package static func margin(of lease: Duration) -> Duration { lease / 6 }

    /// Time between heartbeats.
    var heartbeatInterval: Duration { lease / 3 }
}
