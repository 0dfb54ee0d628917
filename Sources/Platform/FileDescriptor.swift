// The single owner of a file descriptor.
internal import Glibc

/// An open file descriptor that is closed when its owner goes away; see close(2).
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, valid as long as this value exists.
    package let rawValue: Int32

    /// Takes ownership of an open descriptor.
    ///
    /// - Parameter rawValue: a descriptor that no other code closes, not negative.
    package init(owning rawValue: Int32) {
        precondition(rawValue >= 0, "a descriptor is not negative")
        self.rawValue = rawValue
    }

    /// Gives up ownership of the descriptor without closing it.
    package consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }

    deinit { _ = Glibc.close(rawValue) }  // There is no way to handle an error of close(2).
}
