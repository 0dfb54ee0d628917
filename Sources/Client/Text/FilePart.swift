// Percent-encoded parts of URLs; pure.
internal import HTTPWire

/// Decodes the last component of a path for use as a name.
enum FilePart {
    /// The decoded component, or the component itself if it cannot be decoded.
    static func decoded(_ component: Substring) -> String {
        PercentCoding.decode(component.utf8) ?? String(component)
    }
}
