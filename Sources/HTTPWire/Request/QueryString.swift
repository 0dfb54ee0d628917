// The part of a target behind the question mark.

/// Reads and decodes `name=value&name=value`.
package enum QueryString {
    /// One decoded pair.
    package typealias Parameter = (name: String, value: String)

    /// Splits and decodes a query.
    ///
    /// - Parameters:
    ///   - query: as in `Request.query`; an empty one has no parameters.
    ///   - form: true for `application/x-www-form-urlencoded`, where `+` is a space.
    /// - Returns: the pairs in order, doubles included; nil for an empty pair, a pair without `=`,
    ///   an empty name, or escapes that do not decode to UTF-8 without U+0000.
    package static func parse(_ query: String, form: Bool = false) -> [Parameter]? {
        if query.isEmpty { return [] }
        var result: [Parameter] = []
        for pair in query.utf8.split(separator: 0x26, omittingEmptySubsequences: false) {
            guard let middle = pair.firstIndex(of: .equals), middle != pair.startIndex,
                let name = PercentCoding.decode(
                    pair[..<middle], plusIsSpace: form, keepsControls: true),
                let value = PercentCoding.decode(
                    pair[pair.index(after: middle)...], plusIsSpace: form, keepsControls: true)
            else { return nil }
            result.append((name, value))
        }
        return result
    }
}
