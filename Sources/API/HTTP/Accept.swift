// The field `Accept` (RFC 9110 section 12.5.1).

/// The media ranges of `Accept`, for JSON and event streams.
enum Accept {
    /// A media range and its weight.
    struct Range: Equatable, Sendable {
        /// The range in lower case, without parameters.
        let type: String
        /// The weight, from 0 to 1; 1 if none is given, 0 if it is no number.
        let quality: Double
    }

    /// The ranges of all lines of the field, in order.
    static func ranges(_ fields: [String]) -> [Range] {
        fields.flatMap { $0.split(separator: ",") }.compactMap { range in
            let parts = range.split(separator: ";").map { String($0).trimmed.lowercased() }
            guard let type = parts.first else { return nil }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            return Range(type: type, quality: quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
    }

    /// Whether JSON is acceptable.
    ///
    /// It is if the field is absent or empty, and if it names an event stream: endpoints without
    /// one answer with JSON.
    static func allowsJSON(_ fields: [String]) -> Bool {
        let ranges = ranges(fields)
        guard !ranges.isEmpty else { return true }
        if ranges.contains(where: { $0.type == EventText.mediaType }) { return true }
        // The most specific range counts.
        for type in [MediaType.json, "application/*", "*/*"] {
            if let range = ranges.first(where: { $0.type == type }) { return range.quality > 0 }
        }
        return false
    }

    /// Whether an event stream is named, with a weight not lower than that of JSON.
    static func prefersStream(_ fields: [String]) -> Bool {
        let ranges = ranges(fields)
        func weight(_ type: String) -> Double {
            ranges.filter { $0.type == type }.map(\.quality).max() ?? 0
        }
        let stream = weight(EventText.mediaType)
        return stream > 0 && stream >= weight(MediaType.json)
    }

    /// Whether HTML is named, with a higher weight than plain text has, as browsers do.
    static func prefersHTML(_ fields: [String]) -> Bool {
        let ranges = ranges(fields)
        func weight(_ types: [String]) -> Double {
            types.lazy.compactMap { type in ranges.first { $0.type == type }?.quality }.first ?? 0
        }
        let html = weight(["text/html"])
        return html > 0 && html > weight(["text/plain", "text/*", "*/*"])
    }
}
