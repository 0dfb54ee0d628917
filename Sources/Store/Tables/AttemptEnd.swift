// The fields of an attempt's end, each named once.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The ends of attempts as a list of the type `attempt_end`.
enum AttemptEnd {
    /// The fields in the order of the type.
    static let fields: Parameters<[Shared<RunRecord>]> = [
        "id": { $0.column { $0.value.download.id } },
        "fence": { $0.column { $0.value.fence } },
        "outcome": { $0.column { $0.value.outcome.rawValue } },
        "at": { $0.column { $0.value.at } },
        "run_at": { $0.column { $0.value.runAt } },
        "cool": { $0.column { $0.value.coolOrigin } },
        "bytes": { $0.column { $0.value.download.bytesReceived } },
        "total": { $0.column { $0.value.download.bytesTotal } },
        "attempts_without_progress": { $0.column { Int32($0.value.attemptsWithoutProgress) } },
        "resume": { $0.column { $0.storedResume } },
        "result": { $0.column { $0.storedResult } },
        "type": { $0.column { $0.value.event.rawValue } },
        "data": { $0.column { $0.value.eventData } },
        "detail": { $0.column { $0.storedDetail } },
        "started": { $0.column { $0.value.download.startedAt } },
        "origin_key": { $0.column { $0.value.originKey } },
        "session_no": { $0.column { $0.value.sessionKey } },
        "app_no": { $0.column { $0.value.appKey } },
        "next_origin": { $0.column { $0.value.nextOrigin } },
        "next_flags": { $0.column { $0.value.nextLane?.flags.rawValue } },
        "next_facet": { $0.column { $0.value.nextLane?.number } },
        "sequence": { $0.column { Int32($0.value.download.sequence) } },
        "received": { $0.column { $0.value.received } },
        "sent": { $0.column { $0.value.sent } },
        "shared_from": { $0.column { $0.value.sharedFrom } },
        "reach": { $0.column { $0.value.reach?.rawValue } },
    ]
}

extension Shared<RunRecord> {
    fileprivate var storedResume: JSONText? {
        (value.resume?.json ?? (value.wasSent ? Ledger.sentMark : nil))
            .map { JSONText(JSON.object($0).text) }
    }

    fileprivate var storedResult: JSONText {
        JSONText(
            value.download.outcome.value.compacted(of: value.download.url).bytes(as: .stored))
    }

    fileprivate var storedDetail: JSONText {
        JSONText(value.detail.compacted(of: value.download.url).bytes(as: .stored))
    }
}
