// The amount of content that was read from other replicas.
internal import API
internal import Synchronization

/// Counts the bodies that are passed on, and the answers of other replicas.
final class PeerGauge: Sendable {
    /// A counted body; it counts until the last reference to this goes.
    final class Place: Sendable {
        private let gauge: PeerGauge

        fileprivate init(_ gauge: PeerGauge) { self.gauge = gauge }

        deinit { gauge.open.subtract(1, ordering: .relaxed) }
    }

    private let open = Atomic(0)
    private let found = Atomic<Int64>(0)
    private let missing = Atomic<Int64>(0)
    private let changed = Atomic<Int64>(0)
    private let unproven = Atomic<Int64>(0)
    private let unavailable = Atomic<Int64>(0)
    private let bytes = Atomic<Int64>(0)

    /// Takes a place for a body; nil if the limit is reached.
    func enter(atMost limit: Int) -> Place? {
        let place = Place(self)
        return open.add(1, ordering: .relaxed).newValue <= limit ? place : nil
    }

    /// Counts an answer.
    func count(_ answer: PeerAnswer) {
        switch answer {
        case .body: found.add(1, ordering: .relaxed)
        case .missing: missing.add(1, ordering: .relaxed)
        case .changed: changed.add(1, ordering: .relaxed)
        case .unproven: unproven.add(1, ordering: .relaxed)
        case .unavailable: unavailable.add(1, ordering: .relaxed)
        }
    }

    /// Counts bytes that were passed on.
    func passed(_ count: Int) { bytes.add(Int64(count), ordering: .relaxed) }

    /// The counts, for `GET /metrics`.
    var metrics: [Metric] {
        [
            Metric(
                "lull_content_asked_total",
                "Requests to other replicas for content, by the answer.",
                kind: .counter,
                samples: [
                    ("found", found.load(ordering: .relaxed)),
                    ("missing", missing.load(ordering: .relaxed)),
                    ("changed", changed.load(ordering: .relaxed)),
                    ("unproven", unproven.load(ordering: .relaxed)),
                    ("unavailable", unavailable.load(ordering: .relaxed)),
                ].map { Metric.Sample($0.1, labels: [("answer", $0.0)]) }),
            Metric(
                "lull_content_passed_bytes_total",
                "Bytes of content that were passed on from other replicas.", kind: .counter,
                samples: [Metric.Sample(bytes.load(ordering: .relaxed))]),
            .gauge(
                "lull_content_passing",
                "Contents that are passed on from other replicas at the moment.",
                open.load(ordering: .relaxed)),
        ]
    }
}
