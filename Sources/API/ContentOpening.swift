internal import Crypto
package import HTTPWire
internal import Store

/// The result of opening the content of a download.
package enum ContentOpening: Sendable {
    /// The complete file, open for reading.
    case open(FileRegion)
    /// There is no such file.
    case missing
    /// The file cannot be read; the text is for the log.
    case failed(String)
}
