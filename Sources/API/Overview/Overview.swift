// The numbers of one app, queued and ended: the answer of `GET /v1/overview`.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

/// The numbers of an app at an instant.
struct Overview: Sendable {
    /// Waiting downloads that have one reason.
    private struct Group: Sendable, Hashable {
        let code: BlockerCode
        let rule: String?
        /// The end of the reason, in whole seconds, so that neighbours are one group.
        let until: Int64?
    }

    /// The most groups that are shown.
    private static let groupsAtMost = 100

    /// The instant.
    let at: Timestamp
    private let figures: AppFigures
    /// The volume of this replica's data directory; nil if it was not read yet.
    var disk: DiskReading?
    /// The downloads of all apps that may run at once; nil for no limit.
    var slots: Int?
    /// Whether each waiting download is in a group.
    var areBlockersComplete = true
    private var groups: [Group: Int64] = [:]
    private var oldest: Timestamp?

    /// Creates an overview without reasons.
    init(at instant: Timestamp, _ figures: AppFigures) {
        at = instant
        self.figures = figures
        if figures.joined > 0 {
            groups[Group(code: .dependency, rule: nil, until: nil)] = figures.joined
        }
    }

    /// Counts waiting downloads of one lane under the first reason why they wait.
    mutating func take(_ lane: ForecastLane, _ blocker: Blocker?) {
        guard let blocker else { preconditionFailure("a waiting download has a reason") }
        let group = Group(
            code: blocker.code, rule: blocker.rule, until: blocker.until.map(\.seconds))
        groups[group, default: 0] += Int64(lane.count)
        oldest = [oldest, lane.candidate.waitingSince].compactMap(\.self).min()
    }

    /// Writes the answer.
    ///
    /// - Parameters:
    ///   - writer: takes the object.
    ///   - ofAll: whether the running downloads of all apps are shown beside the limit, or those of
    ///     the app.
    ///   - showsUploads: whether the numbers of uploads are shown.
    func write(to writer: inout JSONWriter, ofAll: Bool, showsUploads: Bool) {
        writer.beginObject()
        writer.member("as_of", at)
        writer.key("states")
        Overview.write(figures.downloads, without: [.receiving], to: &writer)
        writer.member("states_are_complete", figures.isComplete)
        if showsUploads {
            writer.key("uploads")
            Overview.write(figures.uploads, without: [], to: &writer)
        }
        writer.member("bytes_per_second", figures.bytesPerSecond)
        writer.key("slots")
        writer.beginObject()
        writer.member("limit", slots)
        let own = [figures.downloads, figures.uploads].reduce(Int64(0)) {
            $0 + $1[.running, default: 0] + $1[.canceling, default: 0]
        }
        writer.member("running", ofAll ? figures.runningOfAll : own)
        writer.endObject()
        writer.key("room")
        if let disk {
            writer.beginObject()
            writer.member("free_bytes", disk.free)
            writer.member("reserve_bytes", disk.reserve)
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.member("oldest_waiting_since", oldest)
        writeBlockers(to: &writer)
        writeFailures(to: &writer)
        writeAttention(to: &writer, showsUploads: showsUploads)
        writer.endObject()
    }

    private static func write(
        _ states: AppFigures.States, without hidden: [DownloadState], to writer: inout JSONWriter
    ) {
        writer.beginObject()
        for state in DownloadState.allCases where !hidden.contains(state) {
            writer.key(any: state.rawValue)
            writer.write(states[state, default: 0])
        }
        writer.endObject()
    }

    private func writeBlockers(to writer: inout JSONWriter) {
        let sorted = groups.sorted { left, right in
            if left.value != right.value { return left.value > right.value }
            return (left.key.code.rawValue, left.key.rule ?? "", left.key.until ?? 0)
                < (right.key.code.rawValue, right.key.rule ?? "", right.key.until ?? 0)
        }
        writer.key("blockers")
        writer.beginArray()
        for (group, count) in sorted.prefix(Overview.groupsAtMost) {
            writer.beginObject()
            writer.member("code", group.code.rawValue)
            writer.member("rule", group.rule)
            writer.member("until", group.until.map { Timestamp(seconds: $0) })
            writer.member("count", count)
            writer.endObject()
        }
        writer.endArray()
        writer.member(
            "blockers_are_complete",
            areBlockersComplete && sorted.count <= Overview.groupsAtMost)
    }

    private func writeFailures(to writer: inout JSONWriter) {
        writer.key("failures")
        writer.beginArray()
        for failure in figures.failures {
            writer.beginObject()
            writer.member("code", failure.code)
            writer.member("origin", failure.origin)
            writer.member("count", failure.count)
            writer.member("id", failure.id.text)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeAttention(to writer: inout JSONWriter, showsUploads: Bool) {
        writer.key("attention")
        writer.beginArray()
        for attention in figures.attention {
            let download = attention.download
            if download.id.isUpload, !showsUploads { continue }
            let error = download.result.error
            writer.beginObject()
            writer.member("id", download.id.text)
            writer.member("name", download.name)
            writer.member("session", download.session)
            writer.member("error_code", error?.code.rawValue)
            writer.member("since", attention.since)
            writer.member("detail", error?.detail)
            writer.endObject()
        }
        writer.endArray()
    }
}
