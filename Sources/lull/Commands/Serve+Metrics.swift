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
            .gauge("lull_http_connections", "Connected clients.", gauges.connections),
            .gauge(
                "lull_http_requests", "Requests whose answer has not been sent completely.",
                gauges.requests),
            .gauge("lull_http_streams", "Open streams of events.", gauges.streams),
            .gauge("lull_http_bodies", "Requests that bring bytes of uploads.", gauges.bodies),
        ]
    }

    /// The metrics of the private PostgreSQL; none for a database that the operator runs.
    static func metrics(_ embedded: EmbeddedServer?) -> [Metric] {
        guard let embedded else { return [] }
        return [
            Metric(
                "lull_embedded_postgres_restarts_total",
                "Restarts of the private PostgreSQL after it had ended "
                    + "unexpectedly.", kind: .counter,
                samples: [Metric.Sample(Int64(embedded.restarts))])
        ]
    }

    static func metrics(_ disk: DiskGauge) -> [Metric] {
        let reading = disk.reading
        return [
            .gauge(
                "lull_disk_free_bytes", "Free bytes on the volume with the content.",
                Int(reading?.free ?? 0)),
            .gauge(
                "lull_disk_room_bytes", "Free bytes that downloads which begin now may use.",
                Int(reading?.room ?? 0)),
            .gauge(
                "lull_disk_size_bytes",
                "Size of the volume with the content.",
                Int(reading?.total ?? 0)),
            .gauge(
                "lull_disk_works",
                "1 while the volume with the content can be read and written, else 0.",
                reading?.trouble == nil ? 1 : 0),
            .gauge(
                "lull_content_missing",
                "Files that cannot be found at the moment and do not count as lost.",
                Int(disk.missingFiles)),
            .gauge(
                "lull_quarantine_files",
                "Files in quarantine: no download names them, and they are removed later.",
                Int(disk.quarantine.files)),
            .gauge(
                "lull_quarantine_bytes",
                "Bytes of the files in quarantine.",
                Int(disk.quarantine.bytes)),
            Metric(
                "lull_content_lost_total", "Files of content that were found missing or damaged.",
                kind: .counter, samples: [Metric.Sample(disk.lost)]),
            Metric(
                "lull_content_changed_total",
                "Placed files that were found edited.",
                kind: .counter, samples: [Metric.Sample(disk.changed)]),
        ]
    }

    static func metrics(_ wakes: WakeTally) -> [Metric] {
        [
            Metric(
                "lull_wakes_total", "Wakes of sessions, by what this replica did with them.",
                kind: .counter,
                samples: wakes.counts.map { Metric.Sample($0.count, labels: [("event", $0.name)]) })
        ]
    }

    static func metrics(_ looks: LookTally) -> [Metric] {
        [
            Metric(
                "lull_source_looks_total",
                "Looks of sources that this replica took in, and instants that it passed over, by "
                    + "outcome, and by the reason of passed-over instants.",
                kind: .counter,
                samples: looks.counts.map {
                    Metric.Sample(
                        $0.count, labels: [("outcome", $0.outcome), ("reason", $0.reason)])
                }),
            Metric(
                "lull_source_items_total",
                "Items of feeds that this replica handled, by what became of them.",
                kind: .counter,
                samples: looks.itemCounts.map {
                    Metric.Sample($0.count, labels: [("outcome", $0.outcome)])
                }),
        ]
    }

    static func metrics(_ learned: LearnedGauge) -> [Metric] {
        [
            .gauge(
                "lull_learned_keys",
                "Origins, sessions and times of day for which rates or sizes were learned.",
                learned.keys),
            Metric(
                "lull_learned_samples_total",
                "Rates, sizes and outcomes of attempts that this replica measured.", kind: .counter,
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
                "lull_forecast_scored",
                "Forecasts whose download has begun, by how early they were made.",
                kind: .gauge, samples: samples(\.scored)),
            Metric(
                "lull_forecast_covered",
                "Forecasts whose download began within the forecast range.",
                kind: .gauge, samples: samples(\.covered)),
            Metric(
                "lull_forecast_pinball_seconds",
                "Sum of the pinball losses of p10, p50 and p90 of these forecasts.", kind: .gauge,
                samples: samples(\.loss)),
            Metric(
                "lull_forecast_naive_pinball_seconds",
                "Sum of the pinball losses of a naive forecast, the next known "
                    + "opening.", kind: .gauge,
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
                "Bytes of a budget that are neither spent nor reserved in the present period; only "
                    + "the \(BudgetBook.shownAtMost) counters with the fewest.", kind: .gauge,
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

    static func metric(ofSent bytes: Int64) -> Metric {
        Metric(
            "lull_sent_bytes_total",
            "Bytes of finished files that were sent to receivers "
                + "and stores.",
            kind: .counter, samples: [Metric.Sample(bytes)])
    }

    static func metric(ofStores tally: StoreTally) -> Metric {
        Metric(
            "lull_store_requests_total", "Requests to object stores, by the result.",
            kind: .counter,
            samples: tally.requests.map { key, count in
                Metric.Sample(
                    count,
                    labels: [
                        ("destination", Metric.label(key.destination)),
                        ("operation", key.operation), ("outcome", key.outcome),
                    ])
            })
    }

    static func metrics(_ transfers: TransferGauges) -> [Metric] {
        var families: [Metric] = [
            Metric(
                "lull_received_bytes_total", "Bytes of response bodies that downloads received.",
                kind: .counter, samples: [Metric.Sample(transfers.receivedBytes)]),
            .gauge(
                "lull_transfers_running", "Transfers that have begun and not ended.",
                transfers.running),
            .gauge(
                "lull_transfers_waiting_for_bandwidth",
                "Transfers that are paused until a rate allows them more bytes.",
                transfers.waitingForBandwidth),
        ]
        // Without a limit the sample is left out, and its absence means no limit.
        if let limit = transfers.limitOfAll {
            families.append(
                .gauge(
                    "lull_bandwidth_limit_bytes_per_second",
                    "This replica's part of the deployment's rate.", Int(limit)))
        }
        return families
    }

    static func metrics(_ tally: DeliveryTally) -> [Metric] {
        [
            Metric(
                "lull_webhooks_total", "Tries to send a webhook, by what became of the delivery.",
                kind: .counter,
                samples: DeliveryTally.Outcome.allCases.map { outcome in
                    Metric.Sample(tally.ended(outcome), labels: [("outcome", outcome.rawValue)])
                }),
            Metric(
                "lull_begin_hooks_total", "Requests to begin hooks, by the answer.",
                kind: .counter,
                samples: tally.hookAnswers.map { answer, count in
                    Metric.Sample(count, labels: [("answer", answer)])
                }),
            Metric(
                "lull_notices_total", "Messages to people that arrived, by format.",
                kind: .counter,
                samples: tally.notices.map { format, count in
                    Metric.Sample(count, labels: [("format", format.rawValue)])
                }),
            Metric(
                "lull_notices_counted_total", "Events that messages to people only counted.",
                kind: .counter, samples: [Metric.Sample(tally.countedInNotices)]),
            Metric(
                "lull_webhook_receivers_gone_total", "Webhook URLs that answered 410 Gone.",
                kind: .counter, samples: [Metric.Sample(tally.receiversGone)]),
            Metric(
                "lull_webhook_endpoints_disabled_total",
                "Webhook endpoints that were disabled, by reason.",
                kind: .counter,
                samples: tally.endpointsDisabled.map { reason, count in
                    Metric.Sample(count, labels: [("reason", reason)])
                }),
        ]
    }

    static func metrics(_ tally: AttemptTally) -> [Metric] {
        [
            Metric(
                "lull_attempts_total", "Attempts that ended, by what became of the download.",
                kind: .counter,
                // No replica counts what another one gives back.
                samples: RunOutcome.allCases.filter { $0 != .givenBack }.map { outcome in
                    Metric.Sample(tally.ended(outcome), labels: [("outcome", outcome.name)])
                }),
            Metric(
                "lull_sends_total",
                "Tries to send a finished file to its receiver, by what became of the download.",
                kind: .counter,
                samples: RunOutcome.allCases.filter { $0 != .givenBack && $0 != .received }.map {
                    Metric.Sample(tally.sent($0), labels: [("outcome", $0.name)])
                }),
            Metric(
                "lull_attempt_failures_total", "Attempts that failed, by the failure's code.",
                kind: .counter,
                samples: FailureCode.allCases.map { code in
                    Metric.Sample(tally.failed(code), labels: [("code", code.rawValue)])
                }),
            Metric(
                "lull_placed_files_total",
                "Complete files that were to be placed into folders, by the result.",
                kind: .counter,
                samples: tally.placedByOutcome.map { outcome, count in
                    Metric.Sample(count, labels: [("outcome", outcome)])
                }),
            Metric(
                "lull_shared_downloads_total",
                "Downloads that got the content of another download, whose transfer they had "
                    + "joined.",
                kind: .counter, samples: [Metric.Sample(tally.sharedCount)]),
            Metric(
                "lull_origin_probes_total",
                "Downloads that tried whether an unreachable origin is reached again, by the "
                    + "result.",
                kind: .counter,
                samples: tally.probesByOutcome.map { outcome, count in
                    Metric.Sample(count, labels: [("outcome", outcome)])
                }),
            Metric(
                "lull_mirror_switches_total",
                "Failed attempts that were followed at once by a try at another mirror, by the "
                    + "failure's code.",
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
                "Origins that this replica last saw as unreachable.",
                facts.unreachableOrigins(at: now)),
            .gauge(
                "lull_network_unreachable",
                "1 while this replica does not reach the network, else 0.",
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
                "1 if this replica knows a value of the condition apart from its default, else 0.",
                kind: .gauge, samples: known),
            Metric(
                "lull_condition_requirements",
                "Requirements of rules on the condition, by whether they are met on this replica.",
                kind: .gauge, samples: requirements),
            .gauge(
                "lull_lanes_known", "Lanes of waiting downloads that this replica knows.",
                lanes.lanes),
            .gauge(
                "lull_lane_signatures",
                "Different sets of rules that the lanes of waiting downloads match.",
                lanes.signatures),
        ]
    }
}
