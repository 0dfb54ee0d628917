// The resources that the process uses, and the age of its lease, as metrics.
internal import API
internal import Platform
internal import Worker

extension ProcessReading {
    /// The readings under the usual names of Prometheus clients; a value that could not be read is
    /// absent.
    var metrics: [Metric] {
        var families: [Metric] = []
        if let cpuSeconds {
            families.append(
                Metric(
                    "process_cpu_seconds_total", "Time of processors, in user and system mode.",
                    kind: .counter, samples: [Metric.Sample(number: cpuSeconds)]))
        }
        func gauge(_ name: String, _ help: String, _ value: Int64?) {
            guard let value else { return }
            families.append(.gauge(name, help, Int(value)))
        }
        gauge("process_resident_memory_bytes", "Memory that is in use.", residentBytes)
        gauge("process_virtual_memory_bytes", "Addresses that are in use.", virtualBytes)
        gauge("process_open_fds", "Files and sockets that are open.", openFiles.map(Int64.init))
        gauge("process_max_fds", "As many as may be open.", filesAtMost)
        if let startedAt {
            families.append(
                .gauge(
                    "process_start_time_seconds", "When it began, since 1970 in UTC.",
                    number: startedAt))
        }
        return families
    }
}

extension LeaseGauge {
    /// The age of the lease, and the age at which other replicas take over.
    func metrics(_ lease: Duration) -> [Metric] {
        let length = Metric.gauge(
            "lull_lease_seconds", "The age of a lease at which other replicas take over.",
            number: lease.seconds)
        guard let age else { return [length] }
        return [
            length,
            .gauge(
                "lull_lease_age_seconds",
                "Time since this replica's lease was renewed, or its last renewal was asked for.",
                number: age.seconds),
        ]
    }
}
