// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The type of an event.
public struct EventName: OpenWord {
    /// The word as the API writes it; it may be one that this version does not know.
    public let rawValue: String

    /// Makes any word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `download.created`.
    public static let downloadCreated = EventName(rawValue: "download.created")

    /// `download.waiting`.
    public static let downloadWaiting = EventName(rawValue: "download.waiting")

    /// `download.started`.
    public static let downloadStarted = EventName(rawValue: "download.started")

    /// `download.progress`.
    public static let downloadProgress = EventName(rawValue: "download.progress")

    /// `download.retry_scheduled`.
    public static let downloadRetryScheduled = EventName(rawValue: "download.retry_scheduled")

    /// `download.attention_required`.
    public static let downloadAttentionRequired = EventName(rawValue: "download.attention_required")

    /// `download.suspended`.
    public static let downloadSuspended = EventName(rawValue: "download.suspended")

    /// `download.resumed`.
    public static let downloadResumed = EventName(rawValue: "download.resumed")

    /// `download.succeeded`.
    public static let downloadSucceeded = EventName(rawValue: "download.succeeded")

    /// `download.failed`.
    public static let downloadFailed = EventName(rawValue: "download.failed")

    /// `download.canceled`.
    public static let downloadCanceled = EventName(rawValue: "download.canceled")

    /// `download.content_expiring`.
    public static let downloadContentExpiring = EventName(rawValue: "download.content_expiring")

    /// `download.content_expired`.
    public static let downloadContentExpired = EventName(rawValue: "download.content_expired")

    /// `download.content_lost`.
    public static let downloadContentLost = EventName(rawValue: "download.content_lost")

    /// `download.deadline_at_risk`.
    public static let downloadDeadlineAtRisk = EventName(rawValue: "download.deadline_at_risk")

    /// `download.content_released`.
    public static let downloadContentReleased = EventName(rawValue: "download.content_released")

    /// `endpoint.ping`.
    public static let endpointPing = EventName(rawValue: "endpoint.ping")

    /// `endpoint.disabled`.
    public static let endpointDisabled = EventName(rawValue: "endpoint.disabled")

    /// `delivery.exhausted`.
    public static let deliveryExhausted = EventName(rawValue: "delivery.exhausted")

    /// `session.wake`.
    public static let sessionWake = EventName(rawValue: "session.wake")

    /// `session.events_finished`.
    public static let sessionEventsFinished = EventName(rawValue: "session.events_finished")

    /// `session.drained`.
    public static let sessionDrained = EventName(rawValue: "session.drained")

    /// `download.will_begin`.
    public static let downloadWillBegin = EventName(rawValue: "download.will_begin")

    /// `download.received`.
    public static let downloadReceived = EventName(rawValue: "download.received")

    /// `download.will_send`.
    public static let downloadWillSend = EventName(rawValue: "download.will_send")

    /// `source.changed`.
    public static let sourceChanged = EventName(rawValue: "source.changed")

    /// `source.failing`.
    public static let sourceFailing = EventName(rawValue: "source.failing")

    /// `source.unchanged`.
    public static let sourceUnchanged = EventName(rawValue: "source.unchanged")

    /// `source.skipped`.
    public static let sourceSkipped = EventName(rawValue: "source.skipped")

    /// `upload.created`.
    public static let uploadCreated = EventName(rawValue: "upload.created")

    /// `upload.staged`.
    public static let uploadStaged = EventName(rawValue: "upload.staged")

    /// `upload.waiting`.
    public static let uploadWaiting = EventName(rawValue: "upload.waiting")

    /// `upload.started`.
    public static let uploadStarted = EventName(rawValue: "upload.started")

    /// `upload.progress`.
    public static let uploadProgress = EventName(rawValue: "upload.progress")

    /// `upload.retry_scheduled`.
    public static let uploadRetryScheduled = EventName(rawValue: "upload.retry_scheduled")

    /// `upload.attention_required`.
    public static let uploadAttentionRequired = EventName(rawValue: "upload.attention_required")

    /// `upload.suspended`.
    public static let uploadSuspended = EventName(rawValue: "upload.suspended")

    /// `upload.resumed`.
    public static let uploadResumed = EventName(rawValue: "upload.resumed")

    /// `upload.will_send`.
    public static let uploadWillSend = EventName(rawValue: "upload.will_send")

    /// `upload.succeeded`.
    public static let uploadSucceeded = EventName(rawValue: "upload.succeeded")

    /// `upload.failed`.
    public static let uploadFailed = EventName(rawValue: "upload.failed")

    /// `upload.canceled`.
    public static let uploadCanceled = EventName(rawValue: "upload.canceled")

    /// `upload.deadline_at_risk`.
    public static let uploadDeadlineAtRisk = EventName(rawValue: "upload.deadline_at_risk")
}
