// The engine's own failure, in contrast to a transfer's.

/// libcurl could not be started.
package struct TransferError: Error, Sendable, CustomStringConvertible {
    /// The stable code: `engine_unavailable`.
    package let code = "engine_unavailable"
    /// The message of libcurl or the system.
    package let description: String
}
