internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The values of a revived download's row that its record does not have.
struct RevivedRow {
    let spec: DownloadSpec
    let lane: LaneKey
    let facet: Int32
    let delayedUntil: Timestamp??

    static let given: Parameters<RevivedRow> = [
        "timeout": { $0.spec.resourceTimeout },
        "rank": { $0.lane.rank },
        "webhook_url": { $0.spec.webhookURL },
        "webhook_events": { $0.spec.webhookSet.bits },
        "lane_flags": { $0.lane.laneFlags.rawValue },
        "facet": { $0.facet },
        "due_bucket": { $0.lane.dueBucket },
        "begin_bucket": { $0.lane.beginBucket },
        "complete_by": { $0.spec.completeBy },
        "begin_deadline": { $0.spec.beginDeadline },
        "delayed_until": { $0.delayedUntil.flatMap { $0 } },
        "is_delayed": { $0.delayedUntil != nil },
    ]

    static let queueRow = QueueRow.insert([
        "lane_no": "0",
        "run_at": "greatest(t, earliest_begin_at, delayed_until)",
        "wake_until": "CASE WHEN is_delayed THEN coalesce(delayed_until, t) END",
        "fence": """
        greatest((SELECT max(a.fence) FROM attempts a WHERE a.id = d.id),
            d.content_fence, 0) + 1
        """,
        "attempt": "attempts",
        "sequence": "sequence + 1",
        "resume": "k.resume",
        "bytes": """
        CASE WHEN lull_is_resumable(k.resume) THEN (k.resume->>'offset')::bigint ELSE 0 END
        """,
        "total_bytes": """
        CASE WHEN lull_is_resumable(k.resume) THEN (k.resume->>'total')::bigint END
        """,
    ])
}
