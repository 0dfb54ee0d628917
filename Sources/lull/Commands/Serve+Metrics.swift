// The metrics of GET /metrics.
internal import API
internal import Base
internal import Downloads
internal import HTTPServer
internal import Postgres
internal import Scheduling
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

    /// The metrics of the private PostgreSQL; none for a database that the operator runs.
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
            .gauge(
                "lull_disk_size_bytes", "Bytes of that volume.", Int(reading?.total ?? 0)),
            .gauge(
                "lull_disk_works", "1 while the volume reads and writes, else 0.",
                reading?.trouble == nil ? 1 : 0),
            .gauge(
                "lull_content_missing",
                "Files that are not found at the moment and do not count as lost.",
                Int(disk.missingFiles)),
            .gauge(
                "lull_quarantine_files",
                "Files that no download names and that rest before they are removed.",
                Int(disk.quarantine.files)),
            .gauge(
                "lull_quarantine_bytes", "Bytes of these files.", Int(disk.quarantine.bytes)),
            Metric(
                "lull_content_lost_total", "Files that were found missing or damaged.",
                kind: .counter, samples: [Metric.Sample(disk.lost)]),
            Metric(
                "lull_content_changed_total",
                "Placed files that were found with other bytes than those that were proved.",
                kind: .counter, samples: [Metric.Sample(disk.changed)]),
        ]
    }

    static func metrics(_ wakes: WakeTally) -> [Metric] {
        [
            Metric(
                "lull_wakes_total", "Wakes of sessions by what became of them here.",
                kind: .counter,
                samples: wakes.counts.map { Metric.Sample($0.count, labels: [("event", $0.name)]) })
        ]
    }

    static func metrics(_ learned: LearnedGauge) -> [Metric] {
        [
            .gauge(
                "lull_learned_keys",
                "Origins, sessions and times of day of which something is known.",
                learned.keys),
            Metric(
                "lull_learned_samples_total",
                "Rates, sizes and outcomes of attempts that were measured here.", kind: .counter,
                samples: [Metric.Sample(learned.samples)]),
        ]
    }

    /// The accuracy of the forecasts of the last week, by lead time.
    static func metrics(_ calibration: ForecastCalibration) -> [Metric] {
        func samples(
            _ value: (ForecastCalibration.Group) -> Double
        ) -> [Metric.Sample] {
            zip(calibration.groups, ForecastCalibration.bounds).map { group, bound in
                Metric.Sample(
                    Int64(value(group)), labels: [("lead_from_seconds", "\(Int(bound))")])
            }
        }
        return [
            Metric(
                "lull_forecast_scored", "Forecasts of which is known what came, by their lead.",
                kind: .gauge, samples: samples(\.scored)),
            Metric(
                "lull_forecast_covered", "Those among them whose range held what came.",
                kind: .gauge, samples: samples(\.covered)),
            Metric(
                "lull_forecast_pinball_seconds",
                "The sum of their pinball losses over p10, p50 and p90.", kind: .gauge,
                samples: samples(\.loss)),
            Metric(
                "lull_forecast_naive_pinball_seconds",
                "The same of the next opening that was known.", kind: .gauge,
                samples: samples(\.naiveLoss)),
        ]
    }

    /// The remaining bytes of budgets, as far as this replica has read their counters; none without
    /// budgets.
    ///
    /// - Parameters:
    ///   - facts: with the counters.
    ///   - now: the database's clock.
    ///   - namesApps: whether those of apps, sessions and origins are among them.
    /// - Returns: one family, or none.
    static func metrics(
        _ facts: FactsInForce, at now: Timestamp, namesApps: Bool
    ) -> [Metric] {
        let (policy, zone) = facts.policy
        guard policy.hasBudgets else { return [] }
        let left = facts.budgets(at: now).left(under: policy, zone: zone, at: now).filter {
            namesApps || $0.key.owner.isEmpty && $0.key.value.isEmpty
        }
        return [
            Metric(
                "lull_budget_left_bytes",
                "Bytes that are neither spent nor reserved of the present period's budget; the "
                    + "\(BudgetBook.shownAtMost) counters with the least.", kind: .gauge,
                samples: left.map { key, bytes in
                    Metric.Sample(
                        bytes,
                        labels: [
                            ("app", Metric.label(key.owner)),
                            ("budget", Metric.label(key.budget)),
                            ("value", Metric.label(key.value)),
                        ])
                })
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
        // Without a limit the sample is left out, and its absence means no limit.
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
                "lull_begin_hooks_total", "Questions to begin hooks, by the answer.",
                kind: .counter,
                samples: tally.hookAnswers.map { answer, count in
                    Metric.Sample(count, labels: [("answer", answer)])
                }),
            Metric(
                "lull_webhook_receivers_gone_total", "Webhook URLs that answered 410 Gone.",
                kind: .counter, samples: [Metric.Sample(tally.receiversGone)]),
            Metric(
                "lull_webhook_endpoints_disabled_total", "Endpoints that were disabled, by reason.",
                kind: .counter,
                samples: tally.endpointsDisabled.map { reason, count in
                    Metric.Sample(count, labels: [("reason", reason)])
                }),
        ]
    }

    static func metrics(_ tally: AttemptTally) -> [Metric] {
        let outcomes: [(RunRecord.Outcome, String)] = [
            (.succeeded, "succeeded"), (.retry, "retry"), (.failed, "failed"),
            (.canceled, "canceled"), (.suspended, "suspended"),
            (.attentionRequired, "attention_required"), (.yielded, "yielded"),
            (.unreachable, "unreachable"),
        ]
        return [
            Metric(
                "lull_attempts_total", "Attempts that ended, by what became of the download.",
                kind: .counter,
                samples: outcomes.map { outcome, name in
                    Metric.Sample(tally.ended(outcome), labels: [("outcome", name)])
                }),
            Metric(
                "lull_attempt_failures_total", "Attempts that failed, by the failure's code.",
                kind: .counter,
                samples: FailureCode.allCases.map { code in
                    Metric.Sample(tally.failed(code), labels: [("code", code.rawValue)])
                }),
            Metric(
                "lull_placed_files_total",
                "Whole files that were to be placed into folders, by what came of it.",
                kind: .counter,
                samples: tally.placedByOutcome.map { outcome, count in
                    Metric.Sample(count, labels: [("outcome", outcome)])
                }),
            Metric(
                "lull_shared_downloads_total",
                "Downloads that got the content of another one, whose transfer they had joined.",
                kind: .counter, samples: [Metric.Sample(tally.sharedCount)]),
            Metric(
                "lull_origin_probes_total",
                "Downloads that were let through to try an origin that was not reached.",
                kind: .counter,
                samples: tally.probesByOutcome.map { outcome, count in
                    Metric.Sample(count, labels: [("outcome", outcome)])
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

    /// The unreached origins, as this replica saw them last.
    static func metrics(outages facts: FactsInForce, at now: Timestamp) -> [Metric] {
        [
            .gauge(
                "lull_origins_unreachable",
                "Origins that are not reached, as this replica saw them last.",
                facts.unreachableOrigins(at: now)),
            .gauge(
                "lull_network_unreachable", "1 while the network of this replica is not reached.",
                facts.network == nil ? 0 : 1),
        ]
    }

    /// The known values of conditions: as many samples as there are names, at most.
    static func metrics(_ book: ConditionBook, at now: Timestamp, lanes: LaneGauge) -> [Metric] {
        var known: [Metric.Sample] = []
        var requirements: [Metric.Sample] = []
        for name in book.declaredNames {
            let value = book.track(name)?.known(at: now)
            known.append(Metric.Sample(value == nil ? 0 : 1, labels: [("condition", name)]))
            let states = book.uses(of: name).map { book.isMet($0, at: now) }
            guard !states.isEmpty else { continue }
            for (state, count) in [
                ("met", states.count { $0 }), ("unmet", states.count { !$0 }),
            ] {
                requirements.append(
                    Metric.Sample(
                        Int64(count), labels: [("condition", name), ("state", state)]))
            }
        }
        return [
            Metric(
                "lull_condition_known",
                "Whether a value of the condition is known here, without its default.",
                kind: .gauge, samples: known),
            Metric(
                "lull_condition_requirements",
                "Requirements of rules on the condition, by whether they are met here.",
                kind: .gauge, samples: requirements),
            .gauge(
                "lull_lanes_known", "Lanes of waiting downloads that this replica knows.",
                lanes.lanes),
            .gauge(
                "lull_lane_signatures", "Sets of rules that these lanes match.",
                lanes.signatures),
        ]
    }
}
