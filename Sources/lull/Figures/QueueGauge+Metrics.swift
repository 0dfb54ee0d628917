// The waiting downloads, as metrics.
internal import API
internal import Base
internal import Downloads
internal import Store
internal import Worker

extension QueueGauge {
    /// The metrics of the last census, empty before the first; reading them requests a census.
    ///
    /// - Parameters:
    ///   - now: the database's clock.
    ///   - namesApps: whether apps are named.
    /// - Returns: the families.
    func metrics(at now: Timestamp, namesApps: Bool) -> [Metric] {
        guard let census = read() else { return [] }
        let figures = census.figures
        var families = [
            .gauge(
                "lull_census_age_seconds", "Age of the metrics about the whole queue.",
                number: (now - census.at).seconds),
            QueueGauge.downloads(figures), QueueGauge.blocked(census),
            QueueGauge.oldest(figures, at: now),
        ]
        if let counted = figures.lanesCountedAt {
            families.append(
                .gauge(
                    "lull_lane_count_age_seconds",
                    "Time since the waiting downloads of each lane were last counted.",
                    number: (now - counted).seconds))
        }
        if namesApps { families.append(QueueGauge.apps(figures)) }
        return families + QueueGauge.deliveries(figures, at: now)
    }

    private static func downloads(_ figures: QueueFigures) -> Metric {
        Metric(
            "lull_downloads", "Downloads that have not ended, by state.", kind: .gauge,
            samples: [
                ("receiving", figures.receiving), ("waiting", figures.waiting),
                ("running", figures.running),
                ("suspended", figures.suspended),
                ("attention_required", figures.attentionRequired),
            ].map { Metric.Sample($0.1, labels: [("state", $0.0)]) })
    }

    private static func blocked(_ census: Census) -> Metric {
        let counts = BlockerCode.allCases.map { ($0.rawValue, census.blocked[$0] ?? 0) }
        return Metric(
            "lull_waiting_downloads",
            "Waiting downloads by the first blocker of their lane, as of the last count of the "
                + "lanes; \"other\" for lanes beyond those that are judged.", kind: .gauge,
            samples: (counts + [("other", census.unjudged)]).map {
                Metric.Sample($0.1, labels: [("blocker", $0.0)])
            })
    }

    private static func oldest(_ figures: QueueFigures, at now: Timestamp) -> Metric {
        Metric(
            "lull_oldest_waiting_seconds",
            "How long the oldest waiting download of each class has waited, as of the last count "
                + "of the lanes.", kind: .gauge,
            samples: SchedulingClass.allCases.map { kind in
                let since = figures.oldest.first { $0.schedulingClass == kind }?.since
                return Metric.Sample(
                    number: since.map { max(0, (now - $0).seconds) } ?? 0,
                    labels: [("class", kind.word)])
            })
    }

    private static func apps(_ figures: QueueFigures) -> Metric {
        let named = figures.apps.reduce(Int64(0)) { $0 + $1.live }
        // An app may be named `other` itself, and two names may be equal as labels.
        var counts = ["other": max(0, figures.live - named)]
        for app in figures.apps { counts[Metric.label(app.name), default: 0] += app.live }
        return Metric(
            "lull_app_downloads",
            "Downloads that have not ended, of the \(QueueFigures.appsAtMost) apps with the most; "
                + "\"other\" for all other apps.", kind: .gauge,
            samples: counts.sorted { $0.key < $1.key }.map {
                Metric.Sample($0.value, labels: [("app", $0.key)])
            })
    }

    private static func deliveries(_ figures: QueueFigures, at now: Timestamp) -> [Metric] {
        [
            Metric(
                "lull_deliveries",
                "Webhooks that are not delivered yet, by state; pending ones are counted up to "
                    + "\(QueueFigures.deliveriesAtMost).", kind: .gauge,
                samples: [
                    Metric.Sample(figures.deliveriesPending, labels: [("state", "pending")]),
                    Metric.Sample(figures.deliveriesSending, labels: [("state", "sending")]),
                ]),
            Metric(
                "lull_webhook_receivers",
                "Receivers with something to deliver, by whether they answered last "
                    + "time.", kind: .gauge,
                samples: zip(["answering", "untried", "silent"], figures.receivers).map {
                    Metric.Sample($1, labels: [("standing", $0)])
                }),
            .gauge(
                "lull_delivery_overdue_seconds",
                "How long the first due webhook has been due.",
                number: figures.deliveryDueSince.map { max(0, (now - $0).seconds) } ?? 0),
            .gauge(
                "lull_webhook_endpoints_disabled", "Webhook endpoints that are disabled now.",
                Int(figures.endpointsDisabled)),
        ]
    }
}

extension Duration {
    /// The duration in seconds, with fractions.
    var seconds: Double { self / .seconds(1) }
}
