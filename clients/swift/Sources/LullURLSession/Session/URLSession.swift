public import Foundation
internal import LullClient
internal import Synchronization

/// A session whose transfers are done by a Lull service.
///
/// It keeps itself and its delegate until it is invalidated, as Apple's does.
open class URLSession: NSObject, @unchecked Sendable {
    // Safe because its members are constants, and what changes is behind the engine's lock.

    /// Where delegates and completion handlers are called, one at a time.
    public let delegateQueue: OperationQueue
    /// The delegate, until the session is over.
    public var delegate: (any URLSessionDelegate)? { engine.held?.delegate }
    /// A copy of the configuration with which it was made.
    public var configuration: URLSessionConfiguration { frozen.duplicate() }
    let engine: SessionEngine
    private let frozen: URLSessionConfiguration

    /// Makes a session without a delegate.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// Makes a session.
    ///
    /// A background session asks the service at once for the tasks that it has from an earlier run
    /// of the program, and tells what became of them.
    ///
    /// - Parameters:
    ///   - configuration: is copied.
    ///   - delegate: is kept until the session is over.
    ///   - queue: where it is called; nil for a queue of its own that does one call at a time.
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        frozen = configuration.duplicate()
        if let queue {
            delegateQueue = queue
        } else {
            delegateQueue = OperationQueue()
            delegateQueue.maxConcurrentOperationCount = 1
        }
        engine = SessionEngine(frozen, delegate: delegate, queue: delegateQueue)
        super.init()
        engine.session = self
        if frozen.kind == .background { engine.start() }
    }

    /// Lets the tasks end, and then the session.
    open func finishTasksAndInvalidate() {
        engine.invalidate(cancels: false)
    }

    /// Cancels all tasks, and ends the session.
    open func invalidateAndCancel() {
        engine.invalidate(cancels: true)
    }

    /// The tasks that are not over, also those of earlier runs of the program.
    public var allTasks: [URLSessionTask] {
        get async { await engine.tasks() }
    }

    /// As `allTasks`, for a handler on the delegate queue.
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        engine.own { engine in
            let tasks = await engine.tasks()
            await engine.deliver { completionHandler(tasks) }
        }
    }

    /// As `allTasks`, by their kinds, for a handler on the delegate queue.
    open func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable (
                [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
            ) -> Void
    ) {
        getAllTasks { tasks in
            completionHandler(
                tasks.compactMap { $0 as? URLSessionDataTask },
                tasks.compactMap { $0 as? URLSessionUploadTask },
                tasks.compactMap { $0 as? URLSessionDownloadTask })
        }
    }
}
