// The columns of a claimed download, each named once.

/// A column of what `lull_claim` gives; its raw value is its place.
enum ClaimColumn: Int, CaseIterable, RowColumn {
    case id, fence, attempt, attemptsWithoutProgress, sequence, url, session, sessionNo, appNo
    case originKey, priority, createdAt, earliestBeginAt, startedAt, claimedAt, deadline
    case expectedBytes, bytes, webhookEvents, control, spec, resume, totalBytes, laneNo
    case waitedSince, runAt, isProbe, need
}
