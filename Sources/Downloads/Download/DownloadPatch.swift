// The changes that a client makes to an accepted download.
package import Base

/// A merge patch (RFC 7396) of the members of a download that may change.
package struct DownloadPatch: Equatable, Sendable {
    /// The states in which a member may change.
    package enum Phase: Sendable {
        /// At any time, after the end too.
        case always
        /// Unless it has succeeded or is being canceled; after another end it counts for the retry.
        case live
        /// Like `live`, but not while an attempt runs.
        case idle

        func includes(_ state: DownloadState) -> Bool {
            switch (self, state) {
            case (.always, _): true
            case (.live, .running): true
            case (_, .waiting), (_, .receiving), (_, .suspended), (_, .attentionRequired): true
            case (_, .failed), (_, .canceled): true
            default: false
            }
        }
    }

    /// A patch that was read.
    package struct ParsedPatch {
        let request: DownloadRequest
        /// The request's values; the session or the deployment supplies each missing value.
        let filled: DownloadSpec
    }

    /// A member that may change; `Download+Members` lists them.
    package struct Change: Sendable {
        let name: String
        let phase: Phase
        let apply: @Sendable (ParsedPatch, inout Download) -> Void

        init(
            _ name: String, _ phase: Phase,
            apply: @escaping @Sendable (ParsedPatch, inout Download) -> Void
        ) {
            (self.name, self.phase, self.apply) = (name, phase, apply)
        }
    }

    /// The names of the members that may change.
    package static let members = changes.map(\.name) + RequestMembers.changeable

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

    /// Whether the patch names a member.
    package func names(_ member: String) -> Bool { document[member] != nil }

    /// Whether the patch changes the addresses of the content.
    package var namesPlace: Bool { names("url") || names("urls") }

    /// Whether it names a member for which a session may have a value, too.
    package var namesSessionValue: Bool { DownloadPatch.sessionValues.contains(where: names) }

    /// Whether it names a member that holds secrets, so that these have to be decrypted.
    package var namesRequest: Bool { RequestMembers.changeable.contains(where: names) }

    /// The change of a download's request; nil where the request stays as it is.
    ///
    /// - Parameters:
    ///   - old: the download as it is.
    ///   - new: the download with the other changes.
    /// - Returns: see `RequestMembers.changed(by:of:secrets:to:)`; it takes the secrets.
    package func change(
        of old: Download, to new: Download
    ) -> (@Sendable (BoundSecrets?) -> Result<ChangedRequest, FieldErrors>)? {
        let leaves =
            old.url != new.url && old.spec.request.hasSecrets
            && !SecretOrigin.isOne(old.url, new.url)
        guard
            namesRequest || leaves || BeginHook.changesSecrets(document, of: old)
                || Relay.changesSecrets(document, of: old)
        else { return nil }
        return { [document] secrets in
            RequestMembers.changed(by: document, of: old, secrets: secrets, to: new)
        }
    }

    /// Whether all members that the patch names may change in a state.
    package func isPossible(in state: DownloadState) -> Bool {
        if namesRequest, !Phase.idle.includes(state) { return false }
        return DownloadPatch.changes.allSatisfy { !names($0.name) || $0.phase.includes(state) }
    }

    /// The download with the changes applied.
    ///
    /// - Parameters:
    ///   - old: the download as it is.
    ///   - session: gives the values where the patch removes the download's own.
    ///   - defaults: gives them where the session has none.
    /// - Returns: the changed download, or every finding.
    package func applied(
        to old: Download, session: SessionConfiguration, defaults: DeploymentDefaults
    ) -> Result<Download, FieldErrors> {
        var current: JSONObject = [
            "url": .string(old.url), "metadata": .object(old.spec.metadata),
        ]
        if namesPlace || names("expected_digest") {
            // The addresses are judged together with these members.
            current["urls"] = .array(old.spec.urls.map { .string($0) })
            current["expected_digest"] = old.spec.expectedDigest.map { .string($0.text) }
            current["method"] = .string(old.spec.request.method.rawValue)
        }
        if names("destination") {
            current["destination"] = FileTarget.base(
                of: document["destination"], folder: old.spec.destination, relay: old.spec.relay)
            // A download that joins others has none, which a create is refused for, too.
            current["on_duplicate_url"] = .string(old.spec.duplicates.rawValue)
        }
        if names("begin_hook") {
            // A hook is judged together with the date.
            current["begin_hook"] = old.spec.beginHook?.tree
            current["earliest_begin_date"] = old.earliestBeginDate.map { .string($0.rfc3339) }
        }
        // The request is merged apart, because a patch may set secrets, which the shown form leaves
        // out.
        var rest = document
        for name in RequestMembers.changeable { rest[name] = nil }
        let merged = JSON.object(current).merging(.object(rest))
        return DownloadRequest.parse(merged).map { request in
            var new = old
            let filled = DownloadSpec(
                request, session: session, sessionVersion: old.spec.sessionVersion,
                defaults: defaults)
            let parsed = ParsedPatch(request: request, filled: filled)
            for change in DownloadPatch.changes where names(change.name) {
                change.apply(parsed, &new)
            }
            if namesPlace { new.mirror = 0 }
            return new
        }
    }
}
