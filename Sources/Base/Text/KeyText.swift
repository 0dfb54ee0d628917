// A text as a key: compared by bytes, as the database compares it.

/// A text as a key of a dictionary or set.
///
/// `String` calls two texts equal that Unicode calls canonically equivalent: "zoé" in four bytes
/// and in five, or the Kelvin sign and K. PostgreSQL, file systems and other programs compare
/// bytes, so a dictionary over `String` would take two of their keys for one.
package struct KeyText: Hashable, Sendable {
    /// The text as it was given.
    package let text: String

    /// Creates a key.
    package init(_ text: String) { self.text = text }

    /// Whether two texts have the same bytes.
    package static func == (left: KeyText, right: KeyText) -> Bool {
        areEqual(left.text, right.text)
    }

    /// Whether two texts have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let isSame: Bool?? = unsafe left.utf8.withContiguousStorageIfAvailable { a in
            unsafe right.utf8.withContiguousStorageIfAvailable { b in
                for place in a.indices where unsafe a[place] != b[place] { return false }
                return true
            }
        }
        if case .some(.some(let isSame)) = isSame { return isSame }
        return left.utf8.elementsEqual(right.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        // The length separates a key from the one hashed after it.
        hasher.combine(text.utf8.count)
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}

extension KeyText: Comparable {
    /// The order of the bytes.
    package static func < (left: KeyText, right: KeyText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension KeyText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a key from a literal.
    package init(stringLiteral text: String) { self.init(text) }

    /// The text as it was given.
    package var description: String { text }
}
