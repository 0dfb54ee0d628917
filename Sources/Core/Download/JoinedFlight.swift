// A download that waits for the transfer of another one.

/// Which transfer a download has joined.
package struct JoinedFlight: Equatable, Sendable {
    /// The download that brings the bytes.
    package var leader: Identifier
    /// When that one completes at its present speed; nil where it does not run, or that is not
    /// known.
    package var until: Timestamp?

    /// Names the leader.
    package init(leader: Identifier, until: Timestamp? = nil) {
        self.leader = leader
        self.until = until
    }

    /// What holds the download back: nothing else does.
    func blocker(since: Timestamp) -> Blocker {
        Blocker(
            .dependency,
            "it has joined the download \(leader.text(.download)), which asks for the same bytes, "
                + "and gets that one's content",
            since: since, until: until)
    }
}

extension Download {
    /// Whether it asks for the same bytes at the same time as another one, as far as that is not
    /// a secret.
    package func sharesFlight(with other: Download) -> Bool {
        earliestBeginDate == other.earliestBeginDate
            && flight(app: 0, sessionKey: 0, secrets: [])
                == other.flight(app: 0, sessionKey: 0, secrets: [])
    }

    /// What a transfer is shared by: all that decides which bytes are asked for, how and when.
    ///
    /// Two downloads of a session share one only where these bytes are equal. What each demands of
    /// the content is no part of it: `refusal(ofJoined:)` judges that when the transfer is over.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - sessionKey: the session's number.
    ///   - secrets: what it is asked for with, as `BoundSecrets.plain` has it.
    /// - Returns: the bytes to be digested with a key; nil for a download that shares nothing.
    package func flight(
        app: Int64, sessionKey: Int64, secrets: @autoclosure () -> [UInt8]
    ) -> [UInt8]? {
        let spec = shared.spec
        // A begin hook may give each another request.
        guard spec.duplicates == .join, spec.destination == nil,
            spec.beginHook == nil || earliestBeginDate == nil
        else { return nil }
        var writer = JSONWriter(capacity: 512)
        writer.beginArray()
        writer.write(app)
        writer.write(sessionKey)
        // The request of a session changes with its version.
        writer.write(spec.request.usesSession ? spec.sessionVersion : 0)
        writer.write(url)
        writer.beginArray()
        for other in spec.urls { writer.write(other) }
        writer.endArray()
        // A digest of another kind than that of a result is known to the transfer alone.
        let digest = spec.expectedDigest.flatMap { $0.algorithm == .sha256 ? nil : $0.text }
        writer.write(digest ?? "")
        writer.beginObject()
        // Whether the bytes of two versions may follow each other.
        writer.member("on_source_change", (spec.rules.onSourceChange ?? .restart).rawValue)
        spec.request.write(to: &writer)
        writer.endObject()
        writer.write(Int64(schedulingClass.rawValue))
        writer.write(Int64(spec.network))
        writer.write(spec.beginDeadline?.rfc3339 ?? "")
        writer.write(spec.completeBy?.rfc3339 ?? "")
        writer.endArray()
        return Array(writer.text.utf8) + [0] + secrets()
    }
}
