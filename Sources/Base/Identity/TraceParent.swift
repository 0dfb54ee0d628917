// The trace context of an API call.

/// The field `traceparent` of W3C Trace Context.
package enum TraceParent {
    /// The identifier of the trace, from a field that `read` returned.
    package static func traceID(of field: String) -> String {
        String(field.dropFirst(3).prefix(32))
    }

    /// Checks the field; the result is passed on.
    ///
    /// - Returns: nil for what is not version 00 or has an identifier of zeros; it is ignored then.
    package static func read(_ field: String) -> String? {
        let parts = field.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00" else { return nil }
        let isHexadecimal = parts.joined().utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
        }
        guard isHexadecimal, parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        return field
    }
}
