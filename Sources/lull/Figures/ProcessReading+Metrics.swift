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
                    "process_cpu_seconds_total", "Processor time used, in user and system mode.",
                    kind: .counter, samples: [Metric.Sample(number: cpuSeconds)]))
        }
        func gauge(_ name: String, _ help: String, _ value: Int64?) {
            guard let value else { return }
            families.append(.gauge(name, help, Int(value)))
        }
        gauge("process_resident_memory_bytes", "Memory in use.", residentBytes)
        gauge("process_virtual_memory_bytes", "Size of the address space.", virtualBytes)
        gauge("process_open_fds", "Open files and sockets.", openFiles.map(Int64.init))
        gauge(
            "process_max_fds", "Greatest number of open files and sockets that is permitted.",
            filesAtMost)
        if let startedAt {
            families.append(
                .gauge(
                    "process_start_time_seconds",
                    "When the process was started, in seconds since 1970 in UTC.",
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
                "Time since this replica sent the request that last renewed its lease.",
                number: age.seconds),
        ]
    }
}
