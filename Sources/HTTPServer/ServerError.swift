// Why the server could not begin.
package import Platform

/// A failure to listen.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable word: `address-invalid`, `address-in-use`, `listen-failed` or `out-of-resources`.
    package let code: String
    /// The address in question, as text.
    package let address: String
    /// What the system said, if it said anything.
    package let errno: Errno?

    /// Puts a failure together.
    package init(code: String, address: String, errno: Errno? = nil) {
        self.code = code
        self.address = address
        self.errno = errno
    }

    /// One line for an operator.
    package var description: String {
        "cannot listen on \(address): \(code)" + (errno.map { ", \($0)" } ?? "")
    }
}
