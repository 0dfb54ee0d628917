// The engine's own failure, as opposed to a transfer's.

/// libcurl could not be started.
package struct TransferError: Error, Sendable, CustomStringConvertible {
    /// Stable: `engine_unavailable`.
    package let code = "engine_unavailable"
    /// What libcurl or the system said.
    package let description: String
}
