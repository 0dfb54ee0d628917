// Downloads that share one transfer.
package import Base

/// The shared transfer for which a download waits.
package struct JoinedFlight: Equatable, Sendable {
    /// The leader: the download that transfers the bytes.
    package var leader: Identifier
    /// The time at which the leader will be complete at its present speed; nil if it does not run
    /// or its end is not known.
    package var until: Timestamp?

    /// Creates a value with the leader.
    package init(leader: Identifier, until: Timestamp? = nil) {
        self.leader = leader
        self.until = until
    }

    /// The only blocker of a download that waits for a leader.
    package func blocker(since: Timestamp) -> Blocker {
        Blocker(
            .dependency,
            "it has joined the download \(leader.text), which fetches the same bytes, "
                + "and gets the content of that download",
            since: since, until: until)
    }
}

extension Download {
    /// Whether it asks for the same bytes at the same time as another one, judged without secrets.
    package func sharesFlight(with other: Download) -> Bool {
        earliestBeginDate == other.earliestBeginDate
            && flight(app: 0, sessionKey: 0, secrets: [])
                == other.flight(app: 0, sessionKey: 0, secrets: [])
    }

    /// The key by which downloads share a transfer: everything that decides which bytes are asked
    /// for, how and when.
    ///
    /// Two downloads of a session share a transfer only if their keys are equal. Demands on the
    /// content are no part of the key: `refusal(ofJoined:)` judges them when the transfer is over.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - sessionKey: the session's number.
    ///   - secrets: what it is asked for with, as `BoundSecrets.plain` has it.
    /// - Returns: the bytes to be digested with a key; nil for a download that shares nothing.
    package func flight(
        app: Int64, sessionKey: Int64, secrets: @autoclosure () -> [UInt8]
    ) -> [UInt8]? {
        let spec = shared.value
        // A begin hook may give each download another request, and an unchanged file has no bytes.
        guard spec.duplicates == .join, spec.destination == nil, spec.relay == nil,
            spec.condition == nil, spec.beginHook == nil || earliestBeginDate == nil
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
        // A result has the SHA-256 only; a digest of another kind is checked by the transfer
        // itself.
        let digest = spec.expectedDigest.flatMap { $0.algorithm == .sha256 ? nil : $0.text }
        writer.write(digest ?? "")
        writer.beginObject()
        // The rule for a changed source decides whether bytes of two versions may follow each
        // other.
        writer.member("on_source_change", (spec.rules.onSourceChange ?? .restart).rawValue)
        spec.request.write(to: &writer)
        writer.endObject()
        writer.write(Int64(schedulingClass.rawValue))
        writer.write(Int64(spec.laneFlags.rawValue))
        writer.write(spec.beginDeadline?.rfc3339 ?? "")
        writer.write(spec.completeBy?.rfc3339 ?? "")
        writer.endArray()
        return Array(writer.text.utf8) + [0] + secrets()
    }
}
