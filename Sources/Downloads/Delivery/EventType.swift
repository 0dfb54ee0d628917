// The types of events in the journal and in webhooks.
package import Base

/// The type of an event; the raw value is its number in the store and never changes.
package enum EventType: Int16, Sendable, CaseIterable {
    /// A download was accepted.
    case created = 1
    /// A download waits again.
    case waiting = 2
    /// An attempt began.
    case started = 3
    /// Bytes arrived; coalesced, and sent once without retries.
    case progress = 4
    /// An attempt ended and another will come.
    case retryScheduled = 5
    /// The client has to act.
    case attentionRequired = 6
    /// A download was suspended.
    case suspended = 7
    /// A download was resumed.
    case resumed = 8
    /// The file is whole, on disk and synced.
    case succeeded = 9
    /// Ended without the file.
    case failed = 10
    /// Ended by the client.
    case canceled = 11
    /// The file of a succeeded download will soon be removed.
    case contentExpiring = 12
    /// The file of a succeeded download was removed after its retention.
    case contentExpired = 13
    /// The file of a succeeded download is missing or damaged, or its replica is gone for good.
    case contentLost = 14
    /// A download will probably miss its deadline; sent once, until the download has been on track
    /// for a time.
    case deadlineAtRisk = 15
    /// The client released the file of a succeeded download.
    case contentReleased = 16
    /// A client tests an endpoint; sent to it alone, once without retries.
    case endpointPing = 17
    /// An endpoint was disabled.
    case endpointDisabled = 18
    /// A webhook was given up.
    case deliveryExhausted = 19
    /// A session's client has something to do; sent to one receiver.
    case sessionWake = 20
    /// All deliveries that a wake announced have ended.
    case sessionEventsFinished = 21
    /// A session has no live download.
    case sessionDrained = 22
    /// A download with an earliest begin date is about to begin; a question to its begin hook.
    case willBegin = 23
    /// The bytes of a download are here and proved, and it waits to send them to its receiver.
    case received = 24
    /// A download is about to send its file; a question to the hook of its destination.
    case willSend = 25
    /// A look of a source found a new version.
    case sourceChanged = 26
    /// A source needs attention: its looks fail, or its origin answered 410; sent once.
    case sourceFailing = 27
    /// A look of a source found the version that is known.
    case sourceUnchanged = 28
    /// An instant of a source has no look; sent once for adjacent instants with one reason.
    case sourceSkipped = 29

    /// The name in the journal and on the wire.
    package var name: String {
        switch self {
        case .created: "download.created"
        case .waiting: "download.waiting"
        case .started: "download.started"
        case .progress: "download.progress"
        case .retryScheduled: "download.retry_scheduled"
        case .attentionRequired: "download.attention_required"
        case .suspended: "download.suspended"
        case .resumed: "download.resumed"
        case .succeeded: "download.succeeded"
        case .failed: "download.failed"
        case .canceled: "download.canceled"
        case .contentExpiring: "download.content_expiring"
        case .contentExpired: "download.content_expired"
        case .contentLost: "download.content_lost"
        case .deadlineAtRisk: "download.deadline_at_risk"
        case .contentReleased: "download.content_released"
        case .endpointPing: "endpoint.ping"
        case .endpointDisabled: "endpoint.disabled"
        case .deliveryExhausted: "delivery.exhausted"
        case .sessionWake: "session.wake"
        case .sessionEventsFinished: "session.events_finished"
        case .sessionDrained: "session.drained"
        case .willBegin: "download.will_begin"
        case .received: "download.received"
        case .willSend: "download.will_send"
        case .sourceChanged: "source.changed"
        case .sourceFailing: "source.failing"
        case .sourceUnchanged: "source.unchanged"
        case .sourceSkipped: "source.skipped"
        }
    }

    /// The name of an event of the type about a download or upload, or about something else.
    package func name(of subject: Identifier) -> String {
        isOfUploads && subject.isUpload ? uploadName : name
    }

    /// The text form of the identifier of the event's subject.
    package func text(of subject: Identifier) -> String {
        self.subject == .download ? subject.text : subject.text(self.subject)
    }

    /// The name of an event of the type about an upload.
    var uploadName: String {
        self == .received ? "upload.staged" : "upload." + name.dropFirst("download.".count)
    }

    /// Whether uploads have events of the type.
    var isOfUploads: Bool {
        switch self {
        case .contentExpiring, .contentExpired, .contentLost, .contentReleased, .willBegin: false
        default: subject == .download
        }
    }

    /// The words that subscribe to several types.
    package static let patterns = [
        "*", "download.*", "upload.*", "session.*", "source.*", "endpoint.*", "delivery.*",
    ]

    /// The kind of thing that the event reports: of its `data.id` and of `ce-subject`.
    ///
    /// An upload counts as a download here; its identifier tells it apart.
    package var subject: IdentifierKind {
        switch self {
        case .endpointPing, .endpointDisabled: .endpoint
        case .deliveryExhausted: .delivery
        case .sessionWake, .sessionEventsFinished, .sessionDrained: .session
        case .sourceChanged, .sourceFailing, .sourceUnchanged, .sourceSkipped: .source
        default: .download
        }
    }

    /// The state of a download right after the event, where the type alone determines it; nil where
    /// it does not, or the event is not about a download.
    package var stateAfter: DownloadState? {
        switch self {
        case .created, .waiting, .retryScheduled, .resumed, .deadlineAtRisk, .willBegin, .received,
            .willSend:
            .waiting
        case .started, .progress: .running
        case .attentionRequired: .attentionRequired
        case .suspended: .suspended
        case .succeeded, .contentExpiring, .contentExpired, .contentLost, .contentReleased:
            .succeeded
        case .failed: .failed
        case .canceled: .canceled
        case .endpointPing, .endpointDisabled, .deliveryExhausted, .sessionWake,
            .sessionEventsFinished, .sessionDrained, .sourceChanged, .sourceFailing,
            .sourceUnchanged, .sourceSkipped:
            nil
        }
    }

    /// The state right after the event of a download or upload.
    package func stateAfter(of subject: Identifier) -> DownloadState? {
        self == .created && subject.isUpload ? .receiving : stateAfter
    }

    /// Whether a receiver that named no events gets it: the ends of downloads, and events that need
    /// the client.
    ///
    /// A wake has to be subscribed to: a receiver that does not know wakes could not answer it.
    package var isDefault: Bool {
        switch self {
        case .succeeded, .failed, .canceled, .attentionRequired, .deadlineAtRisk, .endpointDisabled,
            .deliveryExhausted, .sourceChanged, .sourceFailing:
            true
        default: false
        }
    }

    /// All names and patterns, for a refusal.
    package static var known: String {
        (EventSet.allNames.map(\.name) + patterns).joined(separator: ", ")
    }
}
