// Why a command of the client could not do its work.

/// A sentence for people, and the exit status that goes with it.
package struct ClientFailure: Error, CustomStringConvertible {
    /// One sentence; empty where there is nothing to say.
    package let description: String
    /// How the program ends.
    package let status: ExitStatus
    /// Whether the same may work a moment later: a lost connection, a service that starts.
    package let isTransient: Bool
    /// Whether what was asked for does not exist.
    package let isAbsent: Bool
    /// Whether a service answered, be it not to the end.
    package let wasReached: Bool
    /// How long the service asks to wait.
    package let retryAfter: Duration?

    /// Describes a failure.
    package init(
        _ description: String, _ status: ExitStatus = .failed, isTransient: Bool = false,
        wasReached: Bool = true, isAbsent: Bool = false, retryAfter: Duration? = nil
    ) {
        self.description = description
        self.status = status
        self.isTransient = isTransient
        self.isAbsent = isAbsent
        self.wasReached = wasReached
        self.retryAfter = retryAfter
    }

    /// The command line asks for what cannot be done.
    static func usage(_ sentence: String) -> ClientFailure { ClientFailure(sentence, .usage) }

    /// Whoever read standard output has closed it.
    static let outputClosed = ClientFailure("", .failed)

    /// Ctrl-C.
    static let interrupted = ClientFailure("", .interrupted)
}
