/// Why a document was not read to its end.
package struct XMLFault: Error, Equatable, Sendable {
    /// The kinds of faults.
    package enum Kind: Equatable, Sendable {
        /// The bytes are no document.
        case malformed
        /// The document has a document type that is not allowed.
        case doctype
        /// Elements stand inside each other deeper than is allowed.
        case depth
        /// The document has more elements than are allowed.
        case elements
        /// The document has more bytes than are allowed.
        case size
        /// The handler ended the reading.
        case ended
    }

    /// The kind.
    package let kind: Kind
    /// One plain phrase, such as `mismatched tag`.
    package let message: String
    /// The number of bytes before the fault.
    package let offset: Int
}
