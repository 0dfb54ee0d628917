// The error of a server that could not start.
package import Platform

/// A failure to listen.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable word: `address-invalid`, `address-in-use`, `listen-failed` or `out-of-resources`.
    package let code: String
    /// The address in question, as text.
    package let address: String
    /// The error of the system, if there is one.
    package let errno: Errno?

    /// Creates an error.
    package init(code: String, address: String, errno: Errno? = nil) {
        self.code = code
        self.address = address
        self.errno = errno
    }

    /// One line for an operator.
    package var description: String {
        let reason = errno.map { ": \($0)" } ?? ""
        return switch code {
        case "address-in-use":
            "cannot listen on \(address): another program uses it; end it, or change LULL_LISTEN"
        case "address-invalid":
            "cannot listen on \(address): this system does not have it; change LULL_LISTEN"
        default: "cannot listen on \(address)\(reason)"
        }
    }
}
