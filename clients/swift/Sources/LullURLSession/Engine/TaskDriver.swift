internal import Foundation
internal import LullClient
internal import Synchronization

/// What a task is to be, what the service knows of it, and what follows from both.
final class TaskDriver: Sendable {
    /// What the program wants of a task.
    enum Wanted: Sendable {
        case suspended, running, canceled, canceledForResume

        var isCanceled: Bool { self == .canceled || self == .canceledForResume }
    }

    /// The next thing to do.
    enum Step: Sendable {
        case wait
        /// Make the transfer.
        case create
        /// End a task of which the service knows nothing.
        case endUnmade
        /// Tell the service what is wanted now.
        case tell(Wanted, id: String)
        /// Tell the delegate how far it is.
        case showProgress(Report)
        /// Bring the file of an upload.
        case bring(Report)
        /// Fetch the content, tell the delegate, and forget the transfer.
        case finish(Report)
        /// The task is over.
        case over
    }

    private struct State {
        var wanted = Wanted.suspended
        /// What the service was told last; nil before the transfer is made.
        var told: Wanted?
        var report: Report?
        var isReportNew = false
        var isOver = false
        var failure: URLError?
        var hasToldUnreached = false
        var isSignaled = false
        var waiter: CheckedContinuation<Void, Never>?
        var handlers: [@Sendable (Data?) -> Void] = []
    }

    let name: String
    let kind: TaskKind
    private let state = Mutex(State())
    private static let last = Mutex(0)

    init(name: String, kind: TaskKind) {
        self.name = name
        self.kind = kind
    }

    /// A number that no task of this or an earlier run has: milliseconds since 2020, or one more
    /// than the last one.
    static func newIdentifier() -> Int {
        last.withLock { last in
            last = max(last + 1, Int((Date().timeIntervalSince1970 - 1_577_836_800) * 1000))
            return last
        }
    }

    var report: Report? { state.withLock { $0.report } }
    var failure: URLError? { state.withLock { $0.failure } }
    var isOver: Bool { state.withLock { $0.isOver } }
    /// Whether the service has it, or will have it.
    var isBegun: Bool { state.withLock { $0.told != nil || $0.wanted != .suspended } }

    var urlState: URLSessionTask.State {
        state.withLock { state in
            if state.isOver { return .completed }
            if state.wanted.isCanceled { return .canceling }
            return state.wanted == .running ? .running : .suspended
        }
    }

    /// Takes what the program wants; a canceled task stays canceled.
    func want(_ wanted: Wanted) {
        change { state in
            if !state.wanted.isCanceled, !state.isOver { state.wanted = wanted }
        }
    }

    func onResumeData(_ handler: @escaping @Sendable (Data?) -> Void) {
        state.withLock { $0.handlers.append(handler) }
    }

    func takeHandlers() -> [@Sendable (Data?) -> Void] {
        state.withLock { state in
            defer { state.handlers = [] }
            return state.handlers
        }
    }

    /// Takes what the service says; older reports than the last one change nothing.
    func update(_ report: Report) {
        change { state in
            if let last = state.report {
                guard report.sequence >= last.sequence, !last.isOver else { return }
            }
            var report = report
            if report.reasons.isEmpty, report.state == .waiting, let last = state.report {
                (report.reasons, report.isUnreached) = (last.reasons, last.isUnreached)
            }
            state.report = report
            state.isReportNew = true
        }
    }

    /// Takes a transfer that the service has from an earlier run.
    func found(_ report: Report) {
        change { state in
            state.report = report
            state.isReportNew = true
            state.told = report.state == .suspended ? .suspended : .running
            state.wanted = state.told ?? .running
        }
    }

    /// Notes that the service was told, with its answer.
    func told(_ wanted: Wanted, _ report: Report?) {
        change { state in state.told = wanted }
        if let report { update(report) }
    }

    /// Ends it; false if it has ended.
    func end(_ failure: URLError?) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.isOver = true
            state.failure = failure
            return true
        }
    }

    /// Whether the delegate is to hear that a report says that the origin is not reached: once.
    func tellsUnreached(_ report: Report) -> Bool {
        state.withLock { state in
            guard report.isUnreached, !state.hasToldUnreached else { return false }
            state.hasToldUnreached = true
            return true
        }
    }

    func step() -> Step {
        state.withLock { state in
            if state.isOver { return .over }
            guard let told = state.told else {
                if state.wanted == .running { return .create }
                return state.wanted.isCanceled ? .endUnmade : .wait
            }
            guard let report = state.report else { return .wait }
            if report.isOver { return .finish(report) }
            // A transfer that needs its client has nobody to ask: its task ends with the error.
            if report.state == .attentionRequired, told == .running { return .finish(report) }
            if state.wanted != told { return .tell(state.wanted, id: report.id) }
            if state.isReportNew {
                state.isReportNew = false
                if kind == .upload, report.state == .receiving { return .bring(report) }
                return .showProgress(report)
            }
            return .wait
        }
    }

    /// Waits until something has changed since the last wait.
    func changed() async {
        await withCheckedContinuation { continuation in
            let isSignaled = state.withLock { state in
                if state.isSignaled {
                    state.isSignaled = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if isSignaled { continuation.resume() }
        }
    }

    /// Wakes who waits for a change.
    func signal() {
        change { _ in }
    }

    private func change(_ work: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            work(&state)
            let waiter = state.waiter
            state.waiter = nil
            if waiter == nil { state.isSignaled = true }
            return waiter
        }
        waiter?.resume()
    }
}
