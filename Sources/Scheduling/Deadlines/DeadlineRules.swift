// The deadlines that a client may ask for.
package import Base
package import Downloads

/// Checks `begin_deadline` and `complete_by`.
package enum DeadlineRules {
    /// The errors in the deadlines of a download.
    ///
    /// - Parameters:
    ///   - begin: when it has to begin at the latest.
    ///   - complete: when it has to be complete.
    ///   - earliest: before which it does not begin.
    ///   - end: when its time limit ends it.
    ///   - now: the instant of the request; deadlines that it does not name are not compared with
    ///     it.
    ///   - names: whether the request names a member.
    /// - Returns: the member and what is wrong with it, for each finding.
    package static func findings(
        begin: Timestamp?, complete: Timestamp?, earliest: Timestamp?, end: Timestamp,
        at now: Timestamp, names: (String) -> Bool
    ) -> [(member: String, detail: String)] {
        var found: [(member: String, detail: String)] = []
        for (member, deadline) in [("begin_deadline", begin), ("complete_by", complete)] {
            guard let deadline else { continue }
            let isNamed = names(member)
            if isNamed, deadline <= now {
                found.append((member, "is in the past: it is \(now.rfc3339) now"))
            } else if let earliest, deadline <= earliest {
                // The error is put at the member that the request names.
                let isOther = !isNamed && names("earliest_begin_date")
                found.append(
                    isOther
                        ? ("earliest_begin_date", "must be before \(member), \(deadline.rfc3339)")
                        : (member, "must be after earliest_begin_date, \(earliest.rfc3339)"))
            } else if isNamed, deadline > end {
                found.append(
                    (
                        member,
                        "is after \(end.rfc3339), when timeout_interval_for_resource ends the "
                            + "download"
                    ))
            }
        }
        if found.isEmpty, let begin, let complete, begin >= complete {
            found.append(
                names("begin_deadline")
                    ? ("begin_deadline", "must be before complete_by, \(complete.rfc3339)")
                    : ("complete_by", "must be after begin_deadline, \(begin.rfc3339)"))
        }
        return found
    }

    /// The errors in the deadlines of a new download.
    ///
    /// - Parameters:
    ///   - request: what the client asks for.
    ///   - spec: its values with the defaults filled in.
    ///   - now: the instant of the request.
    /// - Returns: the member and what is wrong with it, for each finding.
    package static func findings(
        of request: DownloadRequest, _ spec: DownloadSpec, at now: Timestamp
    ) -> [(member: String, detail: String)] {
        let begin = max(now, request.earliestBeginDate ?? now)
        return findings(
            begin: request.beginDeadline, complete: request.completeBy,
            earliest: request.earliestBeginDate, end: begin + .seconds(spec.resourceTimeout),
            at: now, names: { _ in true })
    }
}
