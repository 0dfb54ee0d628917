// The error of a command of the client.

/// A sentence for people, and the exit status of the program.
package struct ClientFailure: Error, CustomStringConvertible {
    /// One sentence; empty if there is nothing to print.
    package let description: String
    /// The exit status of the program.
    package let status: ExitStatus
    /// Whether a retry may succeed soon: a lost connection, a service that is starting.
    package let isTransient: Bool
    /// Whether the requested resource does not exist.
    package let isAbsent: Bool
    /// Whether a service answered, even if the answer was incomplete.
    package let wasReached: Bool
    /// The wait that the service asks for; nil for none.
    package let retryAfter: Duration?

    /// Creates a failure.
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

    /// The failure with words behind its sentence.
    func adding(_ words: String) -> ClientFailure {
        ClientFailure(
            description + words, status, isTransient: isTransient, wasReached: wasReached,
            isAbsent: isAbsent, retryAfter: retryAfter)
    }

    /// An error of a command line that asks for something impossible.
    static func usage(_ sentence: String) -> ClientFailure { ClientFailure(sentence, .usage) }

    /// The failure of a closed standard output.
    static let outputClosed = ClientFailure("", .failed)

    /// The failure of a command that Ctrl-C ended.
    static let interrupted = ClientFailure("", .interrupted)
}
