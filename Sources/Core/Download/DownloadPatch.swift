// What a client changes in a download that was accepted before.

/// A merge patch (RFC 7396) of the members of a download that may change.
package struct DownloadPatch: Equatable, Sendable {
    /// The members that may change.
    package static let members =
        [
            "url", "urls", "priority", "earliest_begin_date", "is_discretionary",
            "task_description", "metadata", "max_bytes_per_second",
        ] + ContentRules.members + RequestMembers.changeable

    private let document: JSONObject

    /// Reads a patch.
    ///
    /// - Returns: the patch, or every member that may not stand in it.
    package static func parse(_ document: JSON) -> Result<DownloadPatch, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([FieldError("#", "must be an object")])
        }
        var reader = FieldReader(object)
        for name in members { _ = reader.value(name) }
        let errors = reader.finish()
        return errors.isEmpty
            ? .success(DownloadPatch(document: object)) : .failure(errors)
    }

    /// Whether it names a member.
    package func names(_ member: String) -> Bool { document[member] != nil }

    /// Whether it says where the bytes come from.
    package var namesPlace: Bool { names("url") || names("urls") }

    /// Whether it names a member that holds secrets, so that these have to be opened.
    package var namesRequest: Bool { RequestMembers.changeable.contains(where: names) }

    /// The request with the changes; see `RequestMembers.changed(by:shape:secrets:)`.
    package func request(
        shape: RequestShape, secrets: RequestSecrets?
    ) -> Result<RequestMembers, FieldErrors> {
        RequestMembers.changed(by: document, shape: shape, secrets: secrets)
    }

    /// Whether all that it names may change in a state: words at any time, when and how it runs
    /// while it lives, where it comes from while nothing runs.
    package func isPossible(in state: DownloadState) -> Bool {
        let isIdle = [.waiting, .suspended, .attentionRequired].contains(state)
        let place = ["url", "urls"] + ContentRules.members
        if namesRequest || place.contains(where: names), !isIdle { return false }
        let schedule = [
            "priority", "earliest_begin_date", "is_discretionary", "max_bytes_per_second",
        ]
        return !schedule.contains(where: names) || isIdle || state == .running
    }

    /// The download with the changes.
    ///
    /// - Parameters:
    ///   - old: the download as it is.
    ///   - isDiscretionary: what holds where the patch takes the download's own word away.
    /// - Returns: the changed download, or every finding.
    package func applied(
        to old: Download, sessionIsDiscretionary isDiscretionary: Bool
    ) -> Result<Download, FieldErrors> {
        var current: JSONObject = [
            "url": .string(old.url), "metadata": .object(old.spec.metadata),
        ]
        if namesPlace {
            // What the addresses are judged with.
            current["urls"] = .array(old.spec.urls.map { .string($0) })
            current["expected_digest"] = old.spec.expectedDigest.map { .string($0.text) }
            current["method"] = .string(old.spec.request.method.rawValue)
        }
        // The request is merged on its own: it takes more than what is shown.
        var rest = document
        for name in RequestMembers.changeable { rest[name] = nil }
        let merged = JSON.object(current).merging(.object(rest))
        return DownloadRequest.parse(merged).map { request in
            var new = old
            if names("url") { new.url = request.url }
            if names("urls") { new.spec.urls = request.urls }
            if namesPlace { new.mirror = 0 }
            if names("priority") { new.priority = request.priority }
            if names("earliest_begin_date") { new.earliestBeginDate = request.earliestBeginDate }
            if names("is_discretionary") {
                new.spec.isDiscretionary = request.overrides.isDiscretionary ?? isDiscretionary
            }
            if names("max_bytes_per_second") {
                new.spec.maxBytesPerSecond = request.overrides.maxBytesPerSecond
            }
            if names("task_description") { new.spec.taskDescription = request.taskDescription }
            if names("metadata") { new.spec.metadata = request.metadata }
            new.spec.rules.take(request.overrides.rules, naming: names)
            return new
        }
    }
}
