// The members of an upload, as clients see them.
internal import Base

extension Download {
    /// The members of a download that a client may change in an upload.
    package static let changeableOfUploads: Set<String> = [
        "priority", "earliest_begin_date", "begin_deadline", "complete_by", "is_discretionary",
        "task_description", "metadata", "max_bytes_per_second", "expected_digest", "filename",
        "destination", "webhook_url", "webhook_events", "timeout_interval_for_request",
        "timeout_interval_for_resource", "content_retention", "retry",
    ]

    /// The URL that stands in the row of an upload in place of a source: that of its receiver
    /// without the query, or the origin of its store; nil without either.
    package static func place(of spec: DownloadSpec) -> String? {
        if let relay = spec.relay { return Relay.withoutQuery(relay.url) }
        return spec.destination?.store.map { $0 + "/" }
    }

    /// Writes the resource of an upload, its members always in the same order.
    func writeUpload(to writer: inout JSONWriter, blockers: [Blocker]?, dropped: [String]?) {
        writer.beginObject()
        writer.key("id")
        writer.write(id, .upload)
        writer.member("session", session)
        writer.member("state", state.rawValue)
        if let blockers {
            writer.key("blockers")
            writer.beginArray()
            for blocker in blockers { blocker.write(to: &writer) }
            writer.endArray()
            writer.member("deadline_at_risk_since", atRiskSince)
        }
        writeUploadRequest(to: &writer)
        writer.member("sent", result.sent)
        if let dropped { writer.member("dropped", dropped) }
        writeStaged(to: &writer)
        writer.member("error", result.error)
        let isCanceled = state == .canceled || state == .canceling
        writer.member("cancel_reason", isCanceled ? spec.cancelReason : nil)
        writer.key("metadata")
        writer.write(.object(spec.metadata))
        writer.member("sequence", sequence)
        writer.member("created_at", createdAt)
        writer.member("started_at", startedAt)
        writer.member("completed_at", completedAt)
        writer.endObject()
    }

    private func writeUploadRequest(to writer: inout JSONWriter) {
        writer.key("destination")
        if let relay = spec.relay {
            writer.write(relay.shown(spec.request.relay))
        } else {
            writer.write(spec.destination?.tree ?? .null)
        }
        writer.member("length", spec.upload?.length)
        writer.member("from", spec.upload?.source.flatMap(Identifier.init(hexadecimal:))?.text)
        writer.member("external_id", spec.externalID)
        writer.member("task_description", spec.taskDescription)
        writer.key("priority")
        writer.write(priority)
        writer.member("earliest_begin_date", earliestBeginDate)
        writer.member("begin_deadline", spec.beginDeadline)
        writer.member("complete_by", spec.completeBy)
        writer.member("is_discretionary", spec.isDiscretionary)
        writer.member("discretionary_forced_by", spec.discretionaryForcedBy)
        writer.member("count_of_bytes_client_expects_to_send", spec.bytesExpectedToSend)
        writer.member("count_of_bytes_received", bytesReceived)
        writer.member("count_of_bytes_sent", bytesSent)
        writer.member("bytes_per_second", state == .running ? bytesPerSecond : nil)
        writer.member("completes_at", completesAt)
        writer.member("attempt", attempt)
        writer.member("next_attempt_at", nextAttemptAt)
        writer.member("expected_digest", spec.expectedDigest?.text)
        writer.member("filename", spec.filename)
        writer.member("allows_expensive_network_access", spec.allowsExpensive)
        writer.member("allows_constrained_network_access", spec.allowsConstrained)
        writer.member("waits_for_connectivity", spec.waitsForConnectivity)
        writer.member("timeout_interval_for_request", spec.requestTimeout)
        writer.member("timeout_interval_for_resource", spec.resourceTimeout)
        writer.member("content_retention", spec.contentRetention)
        writer.member("max_bytes_per_second", spec.maxBytesPerSecond)
        writer.member("webhook_url", spec.webhookURL)
        writer.member("webhook_events", spec.webhookEvents)
        if let rule = spec.retryRule { writer.member("retry", rule) }
    }

    /// Writes the bytes that the client brings: where, and how far they are.
    private func writeStaged(to writer: inout JSONWriter) {
        writer.key("content")
        writer.beginObject()
        writer.member("href", "/v1/uploads/\(id.text)/content")
        writer.member("length", spec.upload?.length)
        writer.member("state", staging.rawValue)
        writer.member("sha256", result.content?.sha256)
        writer.member("expires_at", receivingEnd)
        writer.endObject()
    }

    /// The time at which bytes are given up that are not whole; nil while none are awaited.
    private var receivingEnd: Timestamp? {
        guard !isSending, state == .receiving || state == .suspended,
            let retention = spec.contentRetention
        else { return nil }
        return (receivingSince ?? createdAt) + .seconds(retention)
    }

    /// How far the bytes of an upload have come.
    private enum Staging: String {
        case receiving, staged, sent, gone
    }

    private var staging: Staging {
        switch state {
        case .receiving: .receiving
        case .waiting, .running, .canceling: .staged
        case .suspended, .attentionRequired: isSending ? .staged : .receiving
        case .succeeded: .sent
        case .failed, .canceled: .gone
        }
    }
}
