internal import Base

/// A text in which `*` stands for any characters, none included.
package struct Glob: Hashable, Sendable {
    /// The text as it was given.
    package let text: String
    private let parts: [[UInt8]]

    /// Reads a pattern; every text is a valid one.
    package init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map { Array($0) }
    }

    /// The number of bytes that it names; of two patterns that match, the one with more is
    /// narrower.
    package var length: Int { parts.reduce(0) { $0 + $1.count } }

    /// Whether it has no `*`.
    package var isExact: Bool { parts.count == 1 }

    /// Whether a text matches the pattern.
    ///
    /// - Complexity: O(text x pattern) at worst, each part found once from the left.
    package func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        WorkMeter.add(bytes.count)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else {
            return bytes == parts[0]
        }
        guard bytes.count >= first.count + last.count, bytes.starts(with: first),
            bytes.suffix(last.count).elementsEqual(last)
        else { return false }
        var place = first.count
        let end = bytes.count - last.count
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            while place + part.count <= end, !bytes[place..<place + part.count].elementsEqual(part)
            { place += 1 }
            guard place + part.count <= end else { return false }
            place += part.count
        }
        return true
    }
}
