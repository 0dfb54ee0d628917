// The file of an attempt.
package import Content
package import Core

extension ContentName {
    /// The name of what an attempt of a download wrote.
    package init(download id: Identifier, fence: Int64) {
        guard let name = ContentName(id: id.hexadecimal, fence: fence) else {
            preconditionFailure("identifiers are file-safe and fences not negative")
        }
        self = name
    }

    /// The download, if the name is one of ours.
    package var download: Identifier? {
        guard id.utf8.count == 32, let high = UInt64(id.prefix(16), radix: 16),
            let low = UInt64(id.suffix(16), radix: 16)
        else { return nil }
        return Identifier(high: high, low: low)
    }
}
