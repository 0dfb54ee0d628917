// Percent-encoded parts of URLs; pure.
internal import HTTPWire

/// The last component of a path as a name.
enum FilePart {
    /// The component decoded, or as it is where it cannot be.
    static func decoded(_ component: Substring) -> String {
        PercentCoding.decode(component.utf8) ?? String(component)
    }
}
