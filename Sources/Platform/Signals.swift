// Receiving signals as values.
internal import Dispatch
internal import Glibc

/// The signals that the program handles; see signal(7).
package enum Signals {
    /// Lets writes to closed sockets fail with EPIPE instead of ending the process.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the first SIGTERM or SIGINT; call it once.
    ///
    /// - Returns: the signal's number. A later one ends the process at once, as it does by default.
    package static func termination() async -> Int32 {
        let queue = DispatchQueue(label: "lull.signals")
        return await withCheckedContinuation { continuation in
            queue.async {
                let watch = Watch(queue: queue) { continuation.resume(returning: $0) }
                watch.start()
            }
        }
    }

    /// A stream with one value for each SIGHUP from now on; call it once.
    ///
    /// The signal would end the process by default. Signals that come before the last one was taken
    /// count as one.
    package static func hangups() -> AsyncStream<Void> {
        signal(SIGHUP, SIG_IGN)
        let source = HangupSource()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            source.start { continuation.yield() }
            continuation.onTermination = { _ in source.cancel() }
        }
    }

    // Safe because a source may be cancelled on any thread, and is started by one.
    private final class HangupSource: @unchecked Sendable {
        private let source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: DispatchQueue(label: "lull.hangups"))

        func start(_ report: @escaping @Sendable () -> Void) {
            source.setEventHandler { report() }
            source.resume()
        }

        func cancel() { source.cancel() }
    }

    // Safe because every access happens on `queue`.
    private final class Watch: @unchecked Sendable {
        private var sources: [any DispatchSourceSignal] = []
        private let queue: DispatchQueue
        private var report: ((Int32) -> Void)?

        init(queue: DispatchQueue, report: @escaping (Int32) -> Void) {
            self.queue = queue
            self.report = report
        }

        func start() {
            for number in [SIGTERM, SIGINT] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { self.arrived(number) }
                source.resume()
                sources.append(source)
            }
        }

        private func arrived(_ number: Int32) {
            for other in [SIGTERM, SIGINT] { signal(other, SIG_DFL) }
            for source in sources { source.cancel() }
            sources = []
            report?(number)
            report = nil
        }
    }
}
