internal import Foundation
internal import LullClient
internal import Synchronization

/// What runs a session: it tells the service what the tasks want, and the delegate what the service says.
final class SessionEngine: @unchecked Sendable {
    // Safe because what changes is behind `state`; delegates are called on their queue alone.

    private struct State {
        var session: URLSession?
        var delegate: HeldDelegate?
        var byName: [String: URLSessionTask] = [:]
        var byID: [String: URLSessionTask] = [:]
        var work: [Int: Task<Void, Never>] = [:]
        var nextWork = 0
        var hasStarted = false
        /// Whether the service has the session, or has refused it.
        var isMade = false
        /// Whether the service did not take the configuration of the session.
        var isRefused = false
        var makers: [CheckedContinuation<Void, Never>] = []
        var isAssociated = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isInvalidated = false
        var isOver = false
        /// Transfers that had ended when the program started, and are not told yet.
        var untold: Set<String>?
        /// Whether there were any.
        var hadUntold = false
        /// Transfers that were told and removed, the last ones: a list that is older may have them.
        var gone: Set<String> = []
        var goneInOrder: [String] = []
    }

    static let goneAtMost = 10_000

    let lull: Lull
    let identifier: String
    let kind: URLSessionConfiguration.Kind
    let document: SessionConfiguration
    private let queue: OperationQueue
    /// Kept while the session is there; of default sessions only.
    private let ownName: OwnName?
    private let state: Mutex<State>

    init(
        _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        queue: OperationQueue
    ) {
        lull = Lull(
            server: configuration.server, key: configuration.key,
            options: LullOptions(deadline: .seconds(30), longestPause: .seconds(2)))
        kind = configuration.kind
        document = configuration.document()
        if let identifier = configuration.identifier {
            (self.identifier, ownName) = (identifier, nil)
        } else {
            let code = SessionEngine.code(configuration, document)
            let own = configuration.kind == .ephemeral ? nil : OwnName(for: code)
            (identifier, ownName) = (
                own.map { "default-\(code)-\($0.text)" } ?? "ephemeral-\(code)", own
            )
        }
        self.queue = queue
        let held = delegate.map { HeldDelegate(delegate: $0) }
        state = Mutex(State(delegate: held))
    }

    /// A part of the name of a session that has none, the same of equal configurations of one key: so
    /// programs that come and go leave no more sessions behind than they have configurations.
    ///
    /// Ephemeral sessions share that name. A default session ends with its program, so each has its own.
    private static func code(
        _ configuration: URLSessionConfiguration, _ document: SessionConfiguration
    ) -> String {
        let bytes: Data
        do {
            bytes = try JSONForm.written(document)
        } catch {
            preconditionFailure("texts and whole numbers are JSON")
        }
        // With the key, so that the name does not help to guess values of header fields.
        let code = SHA256.authenticationCode(bytes, key: Array((configuration.key ?? "").utf8))
        return SHA256.hexadecimal(Array(code.prefix(8)))
    }

    var session: URLSession? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    var held: HeldDelegate? { state.withLock { $0.delegate } }

    /// Runs work that ends at the latest with the session.
    func own(_ work: @escaping @Sendable (SessionEngine) async -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            let number = state.nextWork
            state.nextWork += 1
            state.work[number] = Task {
                await work(self)
                self.state.withLock { _ = $0.work.removeValue(forKey: number) }
            }
        }
    }

    /// Calls the program on its queue, and waits until the call has returned.
    func deliver(_ call: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            queue.addOperation {
                call()
                done.resume()
            }
        }
    }

    // MARK: Tasks

    /// Keeps a task of this run.
    func added<Added: URLSessionTask>(_ task: Added) -> Added {
        state.withLock { state in
            state.byName[task.driver.name] = task
        }
        if let session, let held {
            queue.addOperation {
                let delegate = held.delegate as? any URLSessionTaskDelegate
                delegate?.urlSession(session, didCreateTask: task)
            }
        }
        return task
    }

    /// Names the transfer of a task.
    func name(_ task: URLSessionTask, id: String) {
        state.withLock { $0.byID[id] = task }
    }

    func want(_ wanted: TaskDriver.Wanted, _ task: URLSessionTask) {
        let wasBegun = task.driver.isBegun
        if state.withLock({ $0.isInvalidated }), !wasBegun {
            task.driver.want(.canceled)
        } else {
            task.driver.want(wanted)
        }
        guard !wasBegun, task.driver.isBegun else { return }
        start()
        own { await $0.drive(task) }
    }

    /// The tasks that are not over; of a background session after those of earlier runs are found.
    func tasks() async -> [URLSessionTask] {
        if kind == .background {
            await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
                let isAssociated = state.withLock { state in
                    if state.isAssociated || state.isOver { return true }
                    state.waiters.append(waiting)
                    return false
                }
                if isAssociated { waiting.resume() }
            }
        }
        return state.withLock { state in
            state.byName.values.filter { !$0.driver.isOver }
                .sorted { $0.taskIdentifier < $1.taskIdentifier }
        }
    }

    /// Takes what the service says about a transfer.
    ///
    /// - Parameters:
    ///   - report: what it says.
    ///   - adopts: whether a transfer that has no task here gets one.
    func take(_ report: Report, adopts: Bool) {
        let (found, isNew) = state.withLock { state -> (URLSessionTask?, Bool) in
            if let task = state.byID[report.id] ?? state.byName[report.name] {
                return (task, false)
            }
            guard adopts, report.isTask, !state.gone.contains(report.id),
                let session = state.session
            else { return (nil, false) }
            let task: URLSessionTask =
                report.kind == .upload
                ? URLSessionUploadTask(session, found: report)
                : URLSessionDownloadTask(session, found: report)
            task.restore(report.labels)
            state.byName[report.name] = task
            state.byID[report.id] = task
            if report.isOver, state.untold?.insert(report.id) != nil { state.hadUntold = true }
            return (task, true)
        }
        guard let found else { return }
        guard isNew else { return found.driver.update(report) }
        found.driver.found(report)
        own { await $0.drive(found) }
    }

    /// Whether a transfer of a default session is not this program's: an earlier one left it behind.
    func isLeft(_ report: Report) -> Bool {
        kind == .default && report.isTask
            && state.withLock { state in
                state.byID[report.id] == nil && state.byName[report.name] == nil
                    && !state.gone.contains(report.id)
            }
    }

    /// Forgets a task that is over, and tells the delegate where it was the last of some.
    func forget(_ task: URLSessionTask, id: String?) async {
        let hasToldAll = state.withLock { state in
            state.byName[task.driver.name] = nil
            guard let id else { return false }
            if state.byID[id] === task { state.byID[id] = nil }
            if state.gone.insert(id).inserted { state.goneInOrder.append(id) }
            if state.goneInOrder.count > SessionEngine.goneAtMost {
                state.gone.remove(state.goneInOrder.removeFirst())
            }
            guard state.untold?.remove(id) != nil else { return false }
            return state.isAssociated && state.untold?.isEmpty == true
        }
        if hasToldAll { await finishedEvents() }
        await endIfDone()
    }

    func finishedEvents() async {
        guard let session, let held else { return }
        await deliver { held.delegate.urlSessionDidFinishEvents(forBackgroundURLSession: session) }
    }

    // MARK: The life of the session

    /// Begins to listen, once.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        if isFirst { own { await $0.listen() } }
    }

    func beginAssociation() {
        state.withLock { if !$0.isAssociated, $0.untold == nil { $0.untold = [] } }
    }

    /// Waits until the service has the session; without it no transfer can be made.
    func made() async {
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
            let isMade = state.withLock { state in
                if state.isMade || state.isOver { return true }
                state.makers.append(waiting)
                return false
            }
            if isMade { waiting.resume() }
        }
    }

    func noteMade() {
        let makers = state.withLock { state in
            defer { state.makers = [] }
            state.isMade = true
            return state.makers
        }
        for maker in makers { maker.resume() }
    }

    func noteRefusal() { state.withLock { $0.isRefused = true } }
    func noteAcceptance() { state.withLock { $0.isRefused = false } }
    /// Whether the service did not take the configuration of the session.
    var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Notes that the transfers of earlier runs are tasks now.
    func associated() {
        let (waiters, hasToldAll) = state.withLock { state in
            defer {
                state.waiters = []
                state.isAssociated = true
            }
            // The last of them may have been told before the list was whole.
            let isFirst = !state.isAssociated && state.hadUntold
            return (state.waiters, isFirst && state.untold?.isEmpty == true)
        }
        for waiter in waiters { waiter.resume() }
        if hasToldAll { own { await $0.finishedEvents() } }
    }

    func invalidate(cancels: Bool) {
        let tasks = state.withLock { state in
            state.isInvalidated = true
            return Array(state.byName.values)
        }
        if cancels {
            for task in tasks { want(.canceled, task) }
        }
        own { await $0.endIfDone() }
    }

    /// Ends an invalidated session whose tasks are over.
    private func endIfDone() async {
        let isDone = state.withLock { state in
            guard state.isInvalidated, !state.isOver,
                state.byName.values.allSatisfy({ !$0.driver.isBegun })
            else { return false }
            state.isOver = true
            return true
        }
        guard isDone else { return }
        if let session, let held {
            await deliver { held.delegate.urlSession(session, didBecomeInvalidWithError: nil) }
        }
        noteMade()
        associated()
        let work = state.withLock { state in
            state.session = nil
            state.delegate = nil
            state.byName = [:]
            state.byID = [:]
            defer { state.work = [:] }
            return state.work.values
        }
        for task in work { task.cancel() }
    }
}
