// The part of the program that talks HTTP to other people's servers.
package import Core

/// Runs transfers on one thread with one libcurl multi handle.
package actor TransferEngine {
    /// What an engine is told once.
    package struct Configuration: Sendable {
        /// Where requests may go.
        package var destinations: Destinations
        /// The `User-Agent`, such as `Lull/1.0`.
        package var userAgent: String
        /// A file of certificates instead of the system's, or nil.
        package var certificateFile: String?

        /// A configuration; nothing is read from the environment.
        package init(
            destinations: Destinations, userAgent: String, certificateFile: String? = nil
        ) {
            self.destinations = destinations
            self.userAgent = userAgent
            self.certificateFile = certificateFile
        }
    }

    private init() {}

    /// Starts libcurl and the engine's thread; end it with ``close()``.
    ///
    /// - Throws: `TransferError` when libcurl or the thread cannot be started.
    package static func open(
        _ configuration: Configuration
    ) throws(TransferError) -> TransferEngine {
        TransferEngine()
    }

    /// Performs one request, redirects included.
    ///
    /// - Returns: the end, good or bad. Task cancellation counts as ``cancel(_:)``.
    package nonisolated func run(
        _ request: TransferRequest, id: TransferID, into destination: ByteDestination
    ) async -> TransferResult {
        TransferResult(outcome: .failed(TransferFailure(.resourceUnavailable)))
    }

    /// Ends a transfer soon with `cancelled`; callable from anywhere, also for one already over.
    package nonisolated func cancel(_ id: TransferID) {}

    /// Lets a paused transfer go on; callable from anywhere, also for one that is not paused.
    package nonisolated func resume(_ id: TransferID) {}

    /// Cancels everything, closes every connection and joins the thread.
    package nonisolated func close() async {}
}
