// The members of a download: how each is shown, and in which states it may change.
// `DownloadRequest` reads them from a client or, for members that a session has too,
// `SessionConfiguration`; `DownloadSpec` stores them.
package import Base

extension Download {
    /// Writes the resource, its members always in the same order.
    ///
    /// - Parameters:
    ///   - writer: takes the object.
    ///   - blockers: why it waits; nil leaves the member out, as events do, because blockers are
    ///     computed when asked and an event outlives them.
    ///   - dropped: the members whose secrets a change dropped; nil leaves the member out.
    package func write(
        to writer: inout JSONWriter, blockers: [Blocker]?, dropped: [String]? = nil
    ) {
        if id.isUpload {
            writeUpload(to: &writer, blockers: blockers, dropped: dropped)
        } else if shared.value.isEphemeral {
            withoutQueries.writeMembers(to: &writer, blockers, dropped)
        } else {
            writeMembers(to: &writer, blockers, dropped)
        }
    }

    private func writeMembers(
        to writer: inout JSONWriter, _ blockers: [Blocker]?, _ dropped: [String]?
    ) {
        writer.beginObject()
        writer.key("id")
        writer.write(id, id.transferKind)
        writer.member("session", session)
        writer.member("state", state.rawValue)
        if let blockers {
            writer.key("blockers")
            writer.beginArray()
            for blocker in blockers { blocker.write(to: &writer) }
            writer.endArray()
            writer.member("deadline_at_risk_since", atRiskSince)
        }
        writeRequest(to: &writer)
        // Events are stored as they are sent: a member with the value of nearly every download is
        // left out.
        if blockers != nil || !spec.allowsExpensive || !spec.allowsConstrained {
            writer.member("allows_expensive_network_access", spec.allowsExpensive)
            writer.member("allows_constrained_network_access", spec.allowsConstrained)
        }
        if blockers != nil || !spec.waitsForConnectivity {
            writer.member("waits_for_connectivity", spec.waitsForConnectivity)
        }
        if blockers != nil || spec.duplicates == .join {
            writer.member("on_duplicate_url", spec.duplicates.rawValue)
            writer.member("joined_to", (joinedTo ?? result.joinedTo)?.text)
        }
        if blockers != nil || spec.condition != nil { writeChange(to: &writer) }
        if blockers != nil || spec.isSentOn { writeSending(to: &writer) }
        spec.request.write(to: &writer)
        if let dropped { writer.member("dropped", dropped) }
        writer.member("response", result.response)
        writer.key("content")
        if let content = result.content {
            content.write(of: id, to: &writer)
        } else {
            writer.writeNull()
        }
        writer.member("error", result.error)
        let isCanceled = state == .canceled || state == .canceling
        writer.member("cancel_reason", isCanceled ? spec.cancelReason : nil)
        writer.member("resume", result.resume)
        writer.key("metadata")
        writer.write(.object(spec.metadata))
        writer.member("sequence", sequence)
        writer.member("created_at", createdAt)
        writer.member("started_at", startedAt)
        writer.member("completed_at", completedAt)
        writer.endObject()
    }

    /// Writes the condition under which it is fetched, and whether it held.
    private func writeChange(to writer: inout JSONWriter) {
        let own = spec.condition.flatMap { $0.isOwn ? $0 : nil }
        writer.member("if_changed_from", spec.condition?.unchangedFrom?.text)
        writer.member("if_none_match", own?.etag)
        writer.member("if_modified_since", own?.lastModified)
        writer.member("unchanged", state.isTerminal ? result.unchanged?.rawValue : nil)
    }

    private func writeRequest(to writer: inout JSONWriter) {
        writer.member("url", url)
        writer.member("urls", spec.urls)
        writer.member("mirror_url", address)
        writer.member("current_url", result.currentURL)
        writer.member("external_id", spec.externalID)
        if let source = spec.source { writer.member("source", source) }
        writer.member("task_description", spec.taskDescription)
        writer.key("priority")
        writer.write(priority)
        writer.member("earliest_begin_date", earliestBeginDate)
        writer.member("begin_deadline", spec.beginDeadline)
        writer.member("complete_by", spec.completeBy)
        writer.member("is_discretionary", spec.isDiscretionary)
        writer.member("discretionary_forced_by", spec.discretionaryForcedBy)
        writer.member("count_of_bytes_client_expects_to_send", spec.bytesExpectedToSend)
        writer.member("count_of_bytes_client_expects_to_receive", bytesExpectedByClient)
        writer.member("count_of_bytes_received", bytesReceived)
        writer.member("count_of_bytes_expected_to_receive", bytesTotal)
        writer.member("bytes_per_second", state == .running ? bytesPerSecond : nil)
        writer.member("completes_at", completesAt)
        writer.member("attempt", attempt)
        writer.member("next_attempt_at", nextAttemptAt)
        writer.member("expected_digest", spec.expectedDigest?.text)
        writer.member("filename", spec.filename)
        if let relay = spec.relay {
            writer.key("destination")
            writer.write(relay.shown(spec.request.relay))
        } else {
            writer.member("destination", spec.destination)
        }
        spec.rules.write(to: &writer)
        writer.member("timeout_interval_for_request", spec.requestTimeout)
        writer.member("timeout_interval_for_resource", spec.resourceTimeout)
        writer.member("content_retention", spec.contentRetention)
        writer.member("max_bytes_per_second", spec.maxBytesPerSecond)
        writer.member("segments", spec.segments)
        writer.member("webhook_url", spec.webhookURL)
        writer.member("webhook_events", spec.webhookEvents)
        if let hook = spec.beginHook {
            writer.key("begin_hook")
            writer.write(hook.shown(spec.request.hook))
        }
        if let rule = spec.retryRule { writer.member("retry", rule) }
    }

    /// The `data` of an event, rendered once; every delivery sends these bytes.
    package func eventData() -> String {
        var writer = JSONWriter(capacity: 2048)
        write(to: &writer, blockers: nil)
        return writer.text
    }
}

extension DownloadPatch {
    /// The members that take the session's value where the download's own is removed.
    package static let sessionValues =
        [
            "is_discretionary", "webhook_url", "webhook_events", "timeout_interval_for_request",
            "timeout_interval_for_resource", "content_retention", "segments", "begin_hook",
            "retry",
        ] + ContentRules.members

    /// The members that a client may change, besides those of the request.
    static let changes: [Change] =
        [
            Change("url", .idle) {
                // The known version is that of the former address.
                if $1.url != $0.request.url { $1.spec.condition = nil }
                $1.url = $0.request.url
                $1.spec.isErased = false
            },
            Change("urls", .idle) { $1.spec.urls = $0.request.urls },
            Change("priority", .live) { $1.priority = $0.request.priority },
            Change("earliest_begin_date", .live) {
                guard $1.earliestBeginDate != $0.request.earliestBeginDate else { return }
                $1.earliestBeginDate = $0.request.earliestBeginDate
                // Another date means another begin.
                $1.asksHookAgain()
            },
            Change("begin_hook", .live) {
                guard $1.spec.beginHook != $0.filled.beginHook else { return }
                $1.spec.beginHook = $0.filled.beginHook
                $1.asksHookAgain()
            },
            Change("begin_deadline", .live) { $1.spec.beginDeadline = $0.request.beginDeadline },
            Change("complete_by", .live) { $1.spec.completeBy = $0.request.completeBy },
            Change("is_discretionary", .live) {
                $1.spec.isDiscretionary =
                    $1.spec.discretionaryForcedBy != nil || $0.filled.isDiscretionary
            },
            Change("task_description", .always) {
                $1.spec.taskDescription = $0.request.taskDescription
            },
            Change("metadata", .always) { $1.spec.metadata = $0.request.metadata },
            Change("max_bytes_per_second", .live) {
                $1.spec.maxBytesPerSecond = $0.request.overrides.maxBytesPerSecond
            },
            Change("expected_digest", .idle) {
                $1.spec.expectedDigest = $0.request.expectedDigest
            },
            Change("filename", .always) { $1.spec.filename = $0.request.filename },
            Change("destination", .idle) {
                $1.spec.destination = $0.request.destination
                $1.spec.relay = $0.request.relay
            },
            Change("webhook_url", .live) { $1.spec.webhookURL = $0.filled.webhookURL },
            Change("webhook_events", .live) { $1.spec.webhookEvents = $0.filled.webhookEvents },
            Change("timeout_interval_for_request", .idle) {
                $1.spec.requestTimeout = $0.filled.requestTimeout
            },
            Change("timeout_interval_for_resource", .idle) {
                $1.spec.resourceTimeout = $0.filled.resourceTimeout
            },
            Change("content_retention", .idle) {
                $1.spec.contentRetention = $0.filled.contentRetention
            },
            Change("retry", .idle) { $1.spec.retryRule = $0.filled.retryRule },
            Change("segments", .idle) { $1.spec.segments = $0.filled.segments },
        ]
        + ContentRules.members.map { name in
            Change(name, .idle) {
                $1.spec.rules.take($0.filled.rules, naming: { $0 == name })
            }
        }
}
