// Waiting for the end of another process.
internal import CPlatform
internal import Dispatch
internal import Glibc

/// Waits for a process that need not be a child; see pidfd_open(2).
package enum ProcessEnd {
    /// Returns when the process has ended, the task is cancelled, or the time is over; it may also
    /// return early, so the caller checks and waits again.
    ///
    /// - Parameters:
    ///   - process: its number.
    ///   - limit: at most a day. Where the kernel does not give such descriptors, a tenth of a
    ///     second.
    package static func wait(for process: Int32, upTo limit: Duration = .seconds(86_400)) async {
        let bell = Alarm()
        let number = lull_pidfd_open(process)
        guard number >= 0 else {
            guard Errno.current.rawValue != ESRCH else { return }
            return await bell.wait(orCancellation: min(limit, .milliseconds(100)))
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: number, queue: DispatchQueue(label: "lull.process"))
        source.setEventHandler { bell.ring() }
        source.setCancelHandler { _ = close(number) }  // An error of close(2) has no remedy.
        source.resume()
        await bell.wait(orCancellation: limit)
        source.cancel()
    }
}

extension Alarm {
    /// Returns when the alarm was rung, after the time, or when the task is cancelled.
    fileprivate func wait(orCancellation limit: Duration) async {
        await withTaskCancellationHandler {
            await wait(upTo: limit)
        } onCancel: {
            ring()
        }
    }
}
