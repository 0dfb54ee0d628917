// The fields of an attempt's end, each named once.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The ends of attempts as a list of the type `attempt_end`.
enum AttemptEnd {
    /// The fields in the order of the type.
    static let fields: Parameters<[RunRecord.Box]> = [
        "id": { $0.column { $0.record.download.id } },
        "fence": { $0.column { $0.record.fence } },
        "outcome": { $0.column { $0.record.outcome.rawValue } },
        "at": { $0.column { $0.record.at } },
        "run_at": { $0.column { $0.record.runAt } },
        "cool": { $0.column { $0.record.coolOrigin } },
        "bytes": { $0.column { $0.record.download.bytesReceived } },
        "total": { $0.column { $0.record.download.bytesTotal } },
        "attempts_without_progress": { $0.column { Int32($0.record.attemptsWithoutProgress) } },
        "resume": { $0.column { $0.resume } },
        "result": { $0.column { $0.result } },
        "type": { $0.column { $0.record.event.rawValue } },
        "data": { $0.column { $0.record.eventData } },
        "detail": { $0.column { $0.detail } },
        "started": { $0.column { $0.record.download.startedAt } },
        "origin_key": { $0.column { $0.record.originKey } },
        "session_no": { $0.column { $0.record.sessionKey } },
        "app_no": { $0.column { $0.record.appKey } },
        "next_origin": { $0.column { $0.record.nextOrigin } },
        "sequence": { $0.column { Int32($0.record.download.sequence) } },
        "received": { $0.column { $0.record.received } },
        "sent": { $0.column { $0.record.sent } },
        "reach": { $0.column { $0.record.reach?.rawValue } },
    ]
}

extension RunRecord.Box {
    fileprivate var resume: JSONText? {
        (record.resume?.json ?? (record.wasSent ? Ledger.sentMark : nil))
            .map { JSONText(JSON.object($0).text) }
    }

    fileprivate var result: JSONText {
        JSONText(
            record.download.outcome.result.compacted(of: record.download.url).bytes(as: .stored))
    }

    fileprivate var detail: JSONText {
        JSONText(record.detail.compacted(of: record.download.url).bytes(as: .stored))
    }
}
