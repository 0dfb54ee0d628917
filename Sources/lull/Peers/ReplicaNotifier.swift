// Orders and policies sent between replicas by NOTIFY and LISTEN.
internal import Platform
internal import Postgres
internal import Store
internal import Synchronization
internal import Worker

/// Sends news to other replicas, and receives theirs.
final class ReplicaNotifier: Sendable {
    /// The least time between two notifications.
    private static let spacing = Duration.milliseconds(20)

    private struct State {
        var pending: Set<ReplicaNotification> = []
        var isSending = false
    }

    private let tasks = TaskOwner()
    private let state = Mutex(State())
    private let replicas: Replicas
    private let listener: NotificationListener?
    private let isShared: Bool
    private let log: Log

    /// Creates a notifier that is not connected; `run` listens.
    ///
    /// A private database has one replica, so no notifications are sent or listened to.
    init(_ configuration: Configuration, replicas: Replicas, log: Log) {
        self.replicas = replicas
        self.log = log
        isShared = configuration.databaseURL != nil
        let direct =
            configuration.databaseDirectURL
            ?? (configuration.isPooled ? nil : configuration.databaseURL)
        listener = direct.map {
            NotificationListener(
                url: $0, channels: [ReplicaNotification.channel],
                options: ConnectionOptions(timeout: configuration.databaseTimeout), log: log)
        }
    }

    /// Sends news soon, combined with that of other calls.
    func announce(_ news: ReplicaNotification) {
        guard isShared else { return }
        let begins = state.withLock { state -> Bool in
            state.pending.insert(news)
            defer { state.isSending = true }
            return !state.isSending
        }
        if begins { tasks.start { await self.send() } }
    }

    /// Passes the news of other replicas to the worker, until the task is canceled.
    func run(_ worker: DownloadWorker) async {
        await listener?.run { event in
            switch event {
            case .listening: worker.listens(true)
            case .interrupted: worker.listens(false)
            case .notified: worker.newsCame()
            }
        }
    }

    private func send() async {
        while let news = take() {
            do throws(StoreError) {
                try await replicas.announce(news)
            } catch {
                // Heartbeats bring the same news later.
                log.warn(
                    "changes could not be announced to other replicas",
                    [("error", .string(error.description))])
            }
            await Alarm().wait(upTo: ReplicaNotifier.spacing)
        }
    }

    private func take() -> Set<ReplicaNotification>? {
        state.withLock { state in
            defer { state.pending = [] }
            state.isSending = !state.pending.isEmpty
            return state.isSending ? state.pending : nil
        }
    }
}
