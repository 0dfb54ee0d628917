// Failures of file operations, by what the worker does about them.
package import Platform

/// The error of a file operation.
package struct ContentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of the failure; the raw values are stable.
    package enum Code: String, Sendable {
        /// The disk or a quota is full: wait, then try again.
        case noSpace = "no_space"
        /// The disk, the file system or its descriptors failed: the attempt is lost.
        case ioError = "io_error"
        /// There is no such file, or none that can be used.
        case notFound = "not_found"
        /// A file of this name exists.
        case alreadyExists = "already_exists"
        /// Another process has locked the data directory, or another attempt took over the file.
        case locked
    }

    /// The kind of the failure.
    package let code: Code
    /// The error number of the system; nil if no system call failed.
    package let errno: Errno?
    /// The failed call, such as `fdatasync`, or a sentence if no system call failed.
    package let operation: String

    /// Creates the error of a failed system call.
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

    /// Creates an error that no system call reported.
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

    /// Whether the path to a folder changed while it was resolved, or has a symbolic link on it: a
    /// moment later it may be right.
    package var isWayUnsteady: Bool {
        guard ContentError.opens.contains(operation), let errno else { return false }
        return errno == .manyLinks || errno == .again || errno == .otherVolume
            || errno == .notDirectory && operation == ContentError.openAlone
    }

    /// Opens a whole path beneath a folder: a link on the path is ELOOP, a move during the call
    /// EAGAIN or EXDEV.
    static let openBeneath = "openat2"
    /// Opens one path component without following a link, which is ELOOP or ENOTDIR.
    static let openAlone = "open a component"
    private static let opens = [openBeneath, openAlone]

    /// The call that failed, and the system's message.
    package var description: String {
        guard let errno else { return operation }
        return "\(operation): \(errno)"
    }
}

extension Errno {
    /// A file larger than the file system or the process may have: EFBIG.
    static let fileTooLarge = Errno(rawValue: 27)
    /// A symbolic link where none is followed: ELOOP.
    static let manyLinks = Errno(rawValue: 40)
    /// The path changed during the call: EAGAIN.
    static let again = Errno(rawValue: 11)
    /// The path leads out of the folder: EXDEV.
    static let otherVolume = Errno(rawValue: 18)
    /// A path component is not a folder: ENOTDIR.
    static let notDirectory = Errno(rawValue: 20)
}

/// Repeats a call while it is interrupted; a failure names the operation.
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

/// Makes a call once: a failed sync must not be repeated, because the kernel has dropped the pages
/// that it could not write and reports success the next time (Rebello et al., ATC 2020).
func attemptOnce(_ operation: String, _ call: () -> Int32) throws(ContentError) {
    if call() != 0 { throw ContentError(operation, Errno.current) }
}
