// Failures of file operations, by what the worker does about them.
package import Platform

/// A file operation that did not work.
package struct ContentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is; the raw values are stable.
    package enum Code: String, Sendable {
        /// The disk or a quota is full: wait, then try again.
        case noSpace = "no_space"
        /// The disk, the file system or its descriptors failed: the attempt is lost.
        case ioError = "io_error"
        /// There is no such file, or none that can be used.
        case notFound = "not_found"
        /// The name is taken.
        case alreadyExists = "already_exists"
        /// Another process holds the data directory, or another attempt the file.
        case locked
    }

    /// What kind of trouble it is.
    package let code: Code
    /// The system's number, or nil if no system call failed.
    package let errno: Errno?
    /// What was done, such as `fdatasync`, or a sentence if no system call failed.
    package let operation: String

    /// Names a failed system call.
    init(_ operation: String, _ errno: Errno) {
        self.operation = operation
        self.errno = errno
        switch errno {
        case .noSpace, .quotaExceeded: code = .noSpace
        case .noEntry: code = .notFound
        case .exists: code = .alreadyExists
        default: code = .ioError
        }
    }

    /// Names trouble that no system call reports.
    init(_ code: Code, _ sentence: String) {
        self.code = code
        errno = nil
        operation = sentence
    }

    /// Whether a new attempt with a new file can succeed.
    package var retryable: Bool {
        switch code {
        case .noSpace, .ioError, .locked: errno != .fileTooLarge
        case .notFound, .alreadyExists: false
        }
    }

    /// Whether the way to a folder was changed while it was walked, or leads over a link: a look
    /// a moment later may find it as it should be.
    package var isWayUnsteady: Bool {
        guard ContentError.opens.contains(operation), let errno else { return false }
        return errno == .manyLinks || errno == .again || errno == .otherVolume
            || errno == .notDirectory && operation == ContentError.openAlone
    }

    /// Opens a whole path beneath a folder: a link on it is ELOOP, a move EAGAIN or EXDEV.
    static let openBeneath = "openat2"
    /// Opens one component without following a link, which is ELOOP or ENOTDIR.
    static let openAlone = "open a component"
    private static let opens = [openBeneath, openAlone]

    /// The call that failed, and the system's message.
    package var description: String {
        guard let errno else { return operation }
        return "\(operation): \(errno)"
    }
}

extension Errno {
    /// A file beyond what the file system or the process may have: EFBIG.
    static let fileTooLarge = Errno(rawValue: 27)
    /// A link where none is followed: ELOOP.
    static let manyLinks = Errno(rawValue: 40)
    /// The way was changed meanwhile: EAGAIN.
    static let again = Errno(rawValue: 11)
    /// The way leads out of the folder: EXDEV.
    static let otherVolume = Errno(rawValue: 18)
    /// A component is no folder: ENOTDIR.
    static let notDirectory = Errno(rawValue: 20)
}

/// Calls until it is not interrupted, and names the operation when it fails.
@discardableResult
func attempt<Number: FixedWidthInteger & SignedInteger>(
    _ operation: String, _ call: () -> Number
) throws(ContentError) -> Number {
    do {
        return try retryingInterrupts(call)
    } catch {
        throw ContentError(operation, error)
    }
}

/// Calls once: a sync that failed must not be tried again, because the kernel has dropped the
/// pages that it could not write and reports success the next time (Rebello et al., ATC 2020).
func attemptOnce(_ operation: String, _ call: () -> Int32) throws(ContentError) {
    if call() != 0 { throw ContentError(operation, Errno.current) }
}
