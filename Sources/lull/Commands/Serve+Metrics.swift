// The numbers of GET /metrics.
internal import API
internal import Core
internal import HTTPServer
internal import Postgres
internal import Store
internal import Transfers
internal import Webhooks
internal import Worker

extension Serve {
    static func metrics(_ gauges: ServerGauges) -> [Metric] {
        [
            .gauge("lull_http_connections", "Clients that are connected.", gauges.connections),
            .gauge(
                "lull_http_requests", "Requests that wait for their answer or its end.",
                gauges.requests),
            .gauge("lull_http_streams", "Streams of events that are open.", gauges.streams),
        ]
    }

    /// Metrics of the private PostgreSQL; none with a database that the operator runs.
    static func metrics(_ embedded: EmbeddedServer?) -> [Metric] {
        guard let embedded else { return [] }
        return [
            Metric(
                "lull_embedded_postgres_restarts_total",
                "How often the private PostgreSQL was lost and started again.", kind: .counter,
                samples: [Metric.Sample(Int64(embedded.restarts))])
        ]
    }

    static func metrics(_ disk: DiskGauge) -> [Metric] {
        let reading = disk.reading
        return [
            .gauge(
                "lull_disk_free_bytes", "Bytes that are free on the volume of the content.",
                Int(reading?.free ?? 0)),
            .gauge(
                "lull_disk_room_bytes", "Bytes that downloads which begin now may take.",
                Int(reading?.room ?? 0)),
            Metric(
                "lull_content_lost_total", "Files that were found missing or damaged.",
                kind: .counter, samples: [Metric.Sample(disk.lost)]),
        ]
    }

    static func metrics(_ transfers: TransferGauges) -> [Metric] {
        var families: [Metric] = [
            Metric(
                "lull_received_bytes_total", "Bytes of bodies that downloads received.",
                kind: .counter, samples: [Metric.Sample(transfers.receivedBytes)]),
            .gauge("lull_transfers_running", "Transfers that have begun.", transfers.running),
            .gauge(
                "lull_transfers_waiting_for_bandwidth",
                "Transfers that are paused until a limit allows them more.",
                transfers.waitingForBandwidth),
        ]
        // Without a limit there is no number, and none means just that.
        if let limit = transfers.limitOfAll {
            families.append(
                .gauge(
                    "lull_bandwidth_limit_bytes_per_second",
                    "This replica's part of what the deployment may receive.", Int(limit)))
        }
        return families
    }

    static func metrics(_ tally: DeliveryTally) -> [Metric] {
        [
            Metric(
                "lull_webhooks_total", "Tries of webhooks, by what became of the delivery.",
                kind: .counter,
                samples: DeliveryTally.Outcome.allCases.map { outcome in
                    Metric.Sample(tally.ended(outcome), labels: [("outcome", outcome.rawValue)])
                }),
            Metric(
                "lull_webhook_receivers_gone_total", "Webhook URLs that answered 410 Gone.",
                kind: .counter, samples: [Metric.Sample(tally.receiversGone)]),
        ]
    }

    static func metrics(_ tally: AttemptTally) -> [Metric] {
        let outcomes: [(RunRecord.Outcome, String)] = [
            (.succeeded, "succeeded"), (.retry, "retry"), (.failed, "failed"),
            (.canceled, "canceled"), (.suspended, "suspended"),
            (.attentionRequired, "attention_required"),
        ]
        return [
            Metric(
                "lull_attempts_total", "Attempts that ended, by what became of the download.",
                kind: .counter,
                samples: outcomes.map { outcome, name in
                    Metric.Sample(tally.ended(outcome), labels: [("outcome", name)])
                }),
            Metric(
                "lull_mirror_switches_total",
                "Attempts after which another mirror was asked at once, by the failure's code.",
                kind: .counter,
                samples: tally.switchesByCode.map { code, count in
                    Metric.Sample(count, labels: [("reason", code)])
                }),
        ]
    }
}
