// The use of the database connections, as metrics.
internal import API
internal import Postgres

extension Pools {
    /// Every pool with its name.
    private var named: [(name: String, pool: ConnectionPool)] {
        [
            ("history", history), ("intake", intake), ("lease", lease), ("ledger", ledger),
            ("lists", lists), ("outbox", outbox), ("reads", reads), ("upkeep", upkeep),
        ]
    }

    /// The connections of every pool, and the waits for them.
    var metrics: [Metric] {
        let gauges = named.map { ($0.name, $0.pool.gauge) }
        func family(
            _ name: String, _ help: String, _ kind: Metric.Kind,
            _ value: (PoolGauge) -> Int64
        ) -> Metric {
            Metric(
                name, help, kind: kind,
                samples: gauges.map { Metric.Sample(value($1), labels: [("pool", $0)]) })
        }
        return [
            Metric(
                "lull_database_connections",
                "Connections of each pool to the database, by whether they are busy or idle.",
                kind: .gauge,
                samples: gauges.flatMap { name, gauge in
                    let idle = gauge.idle
                    return [("idle", idle), ("busy", max(0, gauge.open - idle))].map {
                        Metric.Sample(Int64($1), labels: [("pool", name), ("state", $0)])
                    }
                }),
            family(
                "lull_database_waiting", "Tasks that wait for a database connection.", .gauge
            ) { Int64($0.waiting) },
            family(
                "lull_database_waits_total",
                "Waits for a database connection that are over.",
                .counter
            ) { $0.waits },
            Metric(
                "lull_database_wait_seconds_total",
                "Sum of the times of all waits for a database connection that are over.",
                kind: .counter,
                samples: gauges.map {
                    Metric.Sample(number: $1.waitSeconds, labels: [("pool", $0)])
                }),
            family(
                "lull_database_refusals_total",
                "Tasks that got no database connection in time.",
                .counter
            ) { $0.refusals },
        ]
    }
}
