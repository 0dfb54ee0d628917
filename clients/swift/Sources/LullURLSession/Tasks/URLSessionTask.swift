public import Foundation
internal import LullClient
internal import Synchronization

/// A transfer of a session.
///
/// `resume`, `suspend` and `cancel` return at once; the service is told afterwards, again and again
/// until it has heard it. Members that say how the transfer is to be done count until the first
/// `resume()`, but for `priority` and `taskDescription`, which can be changed until the task is over.
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
    /// The same; redirects are shown by the URL of `response`.
    public var currentRequest: URLRequest? { originalRequest }
    /// How far it is.
    public let progress = Progress(totalUnitCount: -1)

    /// The task does not begin before this date.
    public var earliestBeginDate: Date?
    /// The most bytes that you expect to send; -1 for an unknown number.
    public var countOfBytesClientExpectsToSend: Int64 = -1
    /// The most bytes that you expect to receive; -1 for an unknown number.
    public var countOfBytesClientExpectsToReceive: Int64 = -1
    /// A text of yours, which the service keeps.
    public var taskDescription: String? {
        get { labels.withLock { $0.description } }
        set { change { $0.description = newValue } }
    }
    /// From 0 to 1.
    public var priority: Float {
        get { labels.withLock { $0.priority } }
        set { change { $0.priority = newValue } }
    }

    /// What can be changed until the task is over.
    struct Labels: Equatable, Sendable {
        var priority = URLSessionTask.defaultPriority
        var description: String?
    }

    private let labels = Mutex(Labels())

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

    private func change(_ work: (inout Labels) -> Void) {
        let isNew = labels.withLock { labels in
            let old = labels
            work(&labels)
            return labels != old
        }
        if isNew, driver.isBegun { engine.own { await $0.tellLabels(of: self) } }
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
}
