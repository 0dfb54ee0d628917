// The metadata of content, from the download's row.
internal import Base
internal import Downloads
internal import Store

/// The metadata of a representation of content.
struct ContentFacts: Sendable {
    /// The attempt that wrote the file.
    let fence: Int64
    /// The length in bytes.
    let length: Int64
    /// SHA-256, 64 hexadecimal digits.
    let digest: String
    /// The media type that the origin gave.
    let type: String
    /// The file name for clients.
    let name: String
    /// The time at which it last changed, whole seconds.
    let modified: Timestamp

    /// Reads the record of a download.
    ///
    /// - Returns: nil unless it succeeded.
    init?(_ record: DownloadRecord) {
        let result = record.download.result
        guard let fence = record.contentFence, let content = result.content else { return nil }
        let response = result.response
        self.fence = fence
        length = content.length
        digest = content.sha256
        type = ContentFacts.type(response?.mimeType)
        name =
            record.download.shared.value.filename ?? response?.suggestedFilename
            ?? ContentFacts.name(record.download.url)
        let completed = record.download.completedAt ?? record.download.createdAt
        let told = response?.lastModified.flatMap {
            Timestamp(httpDate: $0, now: completed)
        }
        modified = Timestamp(seconds: min(told ?? completed, completed).seconds)
    }

    /// The strong entity tag: the digest of the bytes.
    var tag: EntityTag { .strong("sha256-" + digest) }

    /// The values with which conditions are compared.
    var representation: Representation { Representation(tag: tag, modified: modified) }

    /// The header fields of every answer with content, and of its 304.
    ///
    /// - Parameters:
    ///   - representationDigest: of the whole content, in base64.
    ///   - disposition: the field `Content-Disposition`.
    /// - Returns: names and values in order.
    func headers(representationDigest: String, disposition: String) -> [(String, String)] {
        [
            ("ETag", tag.text),
            ("Last-Modified", modified.httpDate),
            ("Accept-Ranges", "bytes"),
            ("Repr-Digest", "sha-256=:\(representationDigest):"),
            ("Content-Type", type),
            ("Content-Disposition", disposition),
            // A browser shows a third party's bytes under our origin, so sniffing and scripts are
            // forbidden.
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "sandbox"),
        ]
    }

    /// The field `Content-Disposition`, `inline` only for a media type that may be.
    func disposition(isInline: Bool) -> String {
        isInline && mayBeInline
            ? ContentDisposition.inline(name: name) : ContentDisposition.attachment(name: name)
    }

    /// Whether a browser may show the content: audio, video, images without SVG, and plain text,
    /// which have no scripts.
    ///
    /// A browser reads a type with a comma as a list whose last element counts.
    var mayBeInline: Bool {
        let parts = type.prefix { $0 != ";" }.lowercased().split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, !type.contains(","),
            parts[1].utf8.allSatisfy(ContentFacts.isSubtypeCharacter)
        else { return false }
        switch parts[0] {
        case "audio", "video", "image":
            return !parts[1].contains("svg") && !parts[1].contains("xml")
        case "text": return parts[1] == "plain"
        default: return false
        }
    }

    private static func isSubtypeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._+".utf8.contains(byte)
        }
    }

    /// The origin's media type, or the default if it is not a valid one.
    private static func type(_ told: String?) -> String {
        guard let told, told.utf8.count <= 255, told.utf8.contains(UInt8(ascii: "/")),
            told.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { return "application/octet-stream" }
        return told
    }

    /// The last component of the URL's path.
    private static func name(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // The path begins after `scheme:`, an empty component and the host.
        return parts.count > 3 ? String(parts[parts.count - 1]) : ""
    }
}
