// Failures of a place, by their consequence for a download.

/// The failure of a call to a place.
package struct PlaceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of the failure.
    package enum Code: Sendable, CaseIterable {
        /// The place says that it has no such content.
        case missing
        /// The place has no room: wait, then try again.
        case full
        /// Other content has the name.
        case taken
        /// The place does not answer, or cannot be read or written; this says nothing about the
        /// content.
        case unavailable
        /// The bytes that arrived in the place are not the proved ones.
        case damaged
    }

    /// The kind of the failure.
    package let code: Code
    /// A sentence for the log.
    package let detail: String

    /// Creates a value with all its members.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The failure of a file operation in the data directory.
    package init(_ error: ContentError) {
        switch error.code {
        case .noSpace: code = .full
        case .notFound: code = .missing
        case .alreadyExists: code = .taken
        case .ioError, .locked: code = .unavailable
        }
        detail = error.description
    }

    /// The sentence.
    package var description: String { detail }
}
