// The resource of the API and the `data` of an event: one spelling.

extension Download {
    /// The resource.
    ///
    /// - Parameter blockers: why it waits; nil leaves the member out, as events do, because
    ///   blockers are computed when asked and an event outlives them.
    /// - Returns: the object, its members always in the same order.
    package func json(blockers: [Blocker]?) -> JSONObject {
        var object: JSONObject = [
            "id": .string(id.text(.download)),
            "session": .string(session),
            "state": .string(state.rawValue),
        ]
        if let blockers { object["blockers"] = .array(blockers.map(\.json)) }
        object.append("url", .string(url))
        object.append("urls", .array(spec.urls.map { .string($0) }))
        object.append("mirror_url", text(address))
        object.append("current_url", result["current_url"] ?? .null)
        object.append("task_description", text(spec.taskDescription))
        object.append("priority", .number(priority))
        object.append("earliest_begin_date", instant(earliestBeginDate))
        object.append("is_discretionary", .bool(spec.isDiscretionary))
        object.append("count_of_bytes_client_expects_to_send", count(spec.bytesExpectedToSend))
        object.append("count_of_bytes_client_expects_to_receive", count(bytesExpectedByClient))
        object.append("count_of_bytes_received", .integer(bytesReceived))
        object.append("count_of_bytes_expected_to_receive", count(bytesTotal))
        object.append("bytes_per_second", count(state == .running ? bytesPerSecond : nil))
        object.append("completes_at", instant(completesAt))
        object.append("attempt", .integer(Int64(attempt)))
        object.append("next_attempt_at", instant(nextAttemptAt))
        object.append("expected_digest", text(spec.expectedDigest?.text))
        spec.rules.append(to: &object)
        object.append("timeout_interval_for_request", .integer(spec.requestTimeout))
        object.append("timeout_interval_for_resource", .integer(spec.resourceTimeout))
        object.append("content_retention", count(spec.contentRetention))
        object.append("max_bytes_per_second", count(spec.maxBytesPerSecond))
        object.append("segments", .integer(spec.segments))
        object.append("webhook_url", text(spec.webhookURL))
        object.append(
            "webhook_events",
            spec.webhookEvents.map { .array($0.map { .string($0) }) } ?? .null)
        spec.request.append(to: &object)
        object.append("response", result["response"] ?? .null)
        object.append("content", result["content"] ?? .null)
        object.append("error", result["error"] ?? .null)
        object.append("resume", result["resume"] ?? .null)
        object.append("metadata", .object(spec.metadata))
        object.append("sequence", .integer(sequence))
        object.append("created_at", .string(createdAt.rfc3339))
        object.append("started_at", instant(startedAt))
        object.append("completed_at", instant(completedAt))
        return object
    }

    /// The `data` of an event, serialized once; every delivery sends these bytes.
    package func eventData() -> String { JSON.object(json(blockers: nil)).text }

    private func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    private func count(_ value: Int64?) -> JSON { value.map { .integer($0) } ?? .null }

    private func instant(_ value: Timestamp?) -> JSON {
        value.map { .string($0.rfc3339) } ?? .null
    }
}
