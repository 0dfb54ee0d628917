/// What a document may have.
package struct XMLLimits: Sendable {
    /// The document types that are read over.
    package enum Doctypes: Sendable {
        /// None.
        case none
        /// Those without declarations of their own. What they name is not fetched.
        case plain
    }

    /// The most bytes, up to 1 GiB.
    package var bytes: Int
    /// The most elements inside each other.
    package var depth: Int
    /// The most elements.
    package var elements: Int
    /// The document types that are read over.
    package var doctypes: Doctypes
    /// Whether the bytes are UTF-8, whatever the document says.
    package var isUTF8: Bool

    /// Creates limits; see the members.
    package init(
        bytes: Int, depth: Int, elements: Int, doctypes: Doctypes = .none, isUTF8: Bool = false
    ) {
        precondition(bytes <= 1 << 30, "libexpat counts bytes in 32 bits")
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.doctypes = doctypes
        self.isUTF8 = isUTF8
    }
}
