// The body of a transfer as pieces that one task reads.
internal import Platform
internal import Synchronization

/// A transfer whose body is read by one task.
///
/// It is paused while that task is slow, and cancelled with the last reference.
package final class TransferStream: Sendable {
    private struct State {
        var head: ResponseHead?
        var ready: [UInt8] = []
        var isPaused = false
        var result: TransferResult?
    }

    /// The part that the engine refers to while the transfer runs.
    private final class Intake: Sendable {
        let state = Mutex(State())
        let alarm = Alarm()
        let bytesAtMost: Int

        init(bytesAtMost: Int) { self.bytesAtMost = bytesAtMost }

        var sink: TransferSink {
            unsafe TransferSink(
                begin: { head in
                    self.state.withLock { $0.head = head }
                    self.alarm.ring()
                    return .taken
                },
                receive: { bytes in
                    let isTaken = self.state.withLock { state -> Bool in
                        let isRoom =
                            state.ready.isEmpty
                            || state.ready.count + bytes.count <= self.bytesAtMost
                        if isRoom {
                            unsafe state.ready.append(contentsOf: bytes)
                        } else {
                            state.isPaused = true
                        }
                        return isRoom
                    }
                    self.alarm.ring()
                    return isTaken ? .taken : .pause
                })
        }
    }

    private let engine: TransferEngine
    /// The transfer's name, with which it can be cancelled and limited.
    package let id = TransferID()
    private let intake: Intake

    /// Begins a transfer.
    ///
    /// - Parameters:
    ///   - request: what to fetch.
    ///   - engine: carries it; its `close()` ends the transfer.
    ///   - bytesAtMost: how many bytes wait here before the transfer pauses.
    package init(
        _ request: TransferRequest, over engine: TransferEngine, bytesAtMost: Int = 1 << 18
    ) {
        let intake = Intake(bytesAtMost: bytesAtMost)
        self.engine = engine
        self.intake = intake
        let id = id
        // No child of the caller's task, because the last reference cancels it.
        Task { @concurrent in
            let result = await engine.run(request, id: id, into: .sink(intake.sink))
            intake.state.withLock { $0.result = result }
            intake.alarm.ring()
        }
    }

    deinit { engine.cancel(id) }

    /// Waits for the head of the final answer.
    ///
    /// - Returns: the head; nil if the transfer ended without one.
    package func head() async -> ResponseHead? {
        while true {
            let (head, isOver) = intake.state.withLock { ($0.head, $0.result != nil) }
            if head != nil || isOver { return head }
            await intake.alarm.wait(upTo: .seconds(60))
        }
    }

    /// Waits for the next bytes; one call at a time.
    ///
    /// - Returns: at least one byte; nil behind the last one, and after a failure.
    package func next() async -> [UInt8]? {
        while true {
            let (bytes, wasPaused, isOver) = intake.state.withLock { state in
                defer { (state.ready, state.isPaused) = ([], false) }
                return (state.ready, state.isPaused, state.result != nil)
            }
            if wasPaused { engine.resume(id) }
            if !bytes.isEmpty { return bytes }
            if isOver { return nil }
            await intake.alarm.wait(upTo: .seconds(60))
        }
    }

    /// The end of the transfer; nil while it runs.
    package var result: TransferResult? { intake.state.withLock { $0.result } }
}
