public import Foundation
internal import LullClient
internal import Synchronization

/// A transfer of a session.
///
/// `resume`, `suspend` and `cancel` return at once; the service is told afterwards, again and again
/// until it has heard it. `earliestBeginDate`, `priority` and `taskDescription` can be changed until the
/// task is over. What the service cannot do ends the task with an error that says why.
open class URLSessionTask: NSObject, @unchecked Sendable {
    // Safe because everything that changes is behind a lock or is set before the first resume.

    /// Where a task is.
    public enum State: Int, Sendable {
        /// It waits or runs in the service.
        case running = 0
        /// It was not resumed, or was suspended; its bytes are kept.
        case suspended = 1
        /// It was canceled, and is not over yet.
        case canceling = 2
        /// It is over.
        case completed = 3
    }

    /// The priority of a task that sets none.
    public static let defaultPriority: Float = 0.5
    /// A low priority.
    public static let lowPriority: Float = 0.25
    /// A high priority.
    public static let highPriority: Float = 0.75

    /// The number of the task, unique in its session, also over runs of the program.
    public let taskIdentifier: Int
    /// The request with which it was made.
    ///
    /// After a restart of the program it has the URL and the
    /// method alone.
    public let originalRequest: URLRequest?
    /// The same with the URL that answered, once one has; another one after redirects.
    public var currentRequest: URLRequest? {
        var request = originalRequest
        if let url = driver.report?.currentURL.flatMap({ URL(string: $0) }) { request?.url = url }
        return request
    }
    /// How far it is.
    public let progress = Progress(totalUnitCount: -1)

    /// The task does not begin before this date.
    public var earliestBeginDate: Date? {
        get { labels.withLock { $0.earliestBegin } }
        set { change { $0.earliestBegin = newValue } }
    }
    /// The most bytes that you expect to send; -1 for an unknown number.
    ///
    /// Set it before the first `resume()`; a later value ends the task with an error. For uploads the
    /// service plans with the length of the file.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { labels.withLock { $0.expectsToSend } }
        set { change { $0.expectsToSend = max(newValue, -1) } }
    }
    /// The most bytes that you expect to receive; -1 for an unknown number.
    ///
    /// Set it before the first `resume()`; a later value ends the task with an error. For uploads it is
    /// not needed: the service keeps the beginning of the answer alone.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { labels.withLock { $0.expectsToReceive } }
        set { change { $0.expectsToReceive = max(newValue, -1) } }
    }
    /// A text of yours, which the service keeps.
    public var taskDescription: String? {
        get { labels.withLock { $0.description } }
        set { change { $0.description = newValue } }
    }
    /// From 0 to 1; a number beyond is taken as the nearer end.
    public var priority: Float {
        get { labels.withLock { $0.priority } }
        set { change { $0.priority = newValue.isNaN ? 0 : min(max(newValue, 0), 1) } }
    }

    private let labels = Mutex(TaskLabels())
    /// What it says about itself now.
    var said: TaskLabels { labels.withLock { $0 } }

    let driver: TaskDriver
    let engine: SessionEngine

    init(
        _ session: URLSession, _ request: URLRequest?, kind: TaskKind,
        identifier: Int = TaskDriver.newIdentifier(), name: String = UUID().uuidString.lowercased()
    ) {
        engine = session.engine
        originalRequest = request
        taskIdentifier = identifier
        driver = TaskDriver(name: name, kind: kind)
        super.init()
    }

    /// Takes what the service has about a task of an earlier run.
    func restore(_ old: TaskLabels) {
        labels.withLock { $0 = old }
    }

    private func change(_ work: (inout TaskLabels) -> Void) {
        let (old, new) = labels.withLock { labels in
            let old = labels
            work(&labels)
            return (old, labels)
        }
        guard new != old, driver.isBegun else { return }
        let hasNewSizes =
            new.expectsToSend != old.expectsToSend || new.expectsToReceive != old.expectsToReceive
        if hasNewSizes {
            engine.own { await $0.refuseSizes(of: self) }
        } else {
            engine.own { await $0.tellLabels(of: self) }
        }
    }

    /// Where it is.
    open var state: State { driver.urlState }
    /// Why it ended; nil before its end and after success.
    open var error: (any Error)? { driver.failure }
    /// The answer, once there is one.
    open var response: URLResponse? { driver.report?.response(to: originalRequest) }
    /// Bytes that came, as of the last report.
    open var countOfBytesReceived: Int64 { Int64(driver.report?.received ?? 0) }
    /// Bytes that the origin announced; -1 for an unknown number.
    open var countOfBytesExpectedToReceive: Int64 { Int64(driver.report?.expected ?? -1) }
    /// Bytes that were sent, as of the last report.
    open var countOfBytesSent: Int64 { Int64(driver.report?.sent ?? 0) }
    /// Bytes to send in all.
    open var countOfBytesExpectedToSend: Int64 { driver.report?.length.map { Int64($0) } ?? -1 }
    /// Why it does not run yet, in plain sentences; empty while it runs.
    ///
    /// Apple has no such member.
    open var waitingReasons: [String] { driver.report?.reasons ?? [] }

    /// Begins the task, or lets it go on.
    open func resume() { engine.want(.running, self) }

    /// Stops the task and keeps its bytes.
    open func suspend() { engine.want(.suspended, self) }

    /// Ends the task with `URLError.cancelled`.
    open func cancel() { engine.want(.canceled, self) }

    /// Not here: one delegate serves the tasks of a session, also after a restart of the program.
    @available(*, unavailable, message: "give the session a delegate")
    public var delegate: (any URLSessionTaskDelegate)? {
        get { nil }
        set {}
    }

    /// Not here: bytes come to completion handlers and files when all are there.
    @available(*, unavailable, message: "bytes come when all are there")
    public var prefersIncrementalDelivery: Bool {
        get { false }
        set {}
    }
}
