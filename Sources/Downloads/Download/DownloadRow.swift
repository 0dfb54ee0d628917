// The short form of a download or an upload, for lists and streams that show very many.
package import Base

/// The members of a download that a list of many shows, some 365 bytes of JSON.
package struct DownloadRow: Sendable {
    private let id: Identifier
    private let session: String
    private let name: String
    private let origin: String?
    private let state: String
    private let received: Int64?
    private let expected: Int64?
    private let sent: Int64?
    private let bytesPerSecond: Int64?
    private let completesAt: Timestamp?
    private let blocker: Blocker?
    private let errorCode: String?
    private let createdAt: Timestamp?
    private let completedAt: Timestamp?
    private let sequence: Int64?

    /// The row of a download.
    ///
    /// - Parameters:
    ///   - download: the download.
    ///   - blocker: the first reason why it waits; nil for one that does not wait.
    package init(_ download: Download, blocker: Blocker?) {
        let spec = download.shared.value
        let result = download.outcome.value
        id = download.id
        session = download.session
        name = download.name
        origin = download.nextOrigin
        state = download.state.rawValue
        received = download.bytesReceived
        expected = download.id.isUpload ? spec.upload?.length : download.bytesTotal
        sent = download.bytesSent
        bytesPerSecond = download.state == .running ? download.bytesPerSecond : nil
        completesAt = download.completesAt
        self.blocker = blocker
        errorCode = result.error?.code.rawValue
        createdAt = download.createdAt
        completedAt = download.completedAt
        sequence = download.sequence
    }

    /// The row of the `data` of an event, which has no blocker.
    ///
    /// - Parameters:
    ///   - data: the members of the event's snapshot.
    ///   - id: the download that it is of.
    package init(ofEvent data: JSONObject, of id: Identifier) {
        func text(_ name: String) -> String? { data[name]?.stringValue }
        func instant(_ name: String) -> Timestamp? { text(name).flatMap(Timestamp.init(rfc3339:)) }
        self.id = id
        let destination = data["destination"]?.objectValue
        let receiver = destination?["url"]?.stringValue
        let address = (id.isUpload ? receiver : text("mirror_url") ?? text("url")) ?? ""
        session = text("session") ?? ""
        name = DownloadRow.name(
            text("filename") ?? data["response"]?.objectValue?["suggested_filename"]?.stringValue,
            path: id.isUpload ? destination?["path"]?.stringValue : nil, url: address)
        origin = DownloadRow.origin(of: address)
        state = text("state") ?? ""
        received = data["count_of_bytes_received"]?.integerValue
        expected =
            data[id.isUpload ? "length" : "count_of_bytes_expected_to_receive"]?.integerValue
        sent = data["count_of_bytes_sent"]?.integerValue
        bytesPerSecond = data["bytes_per_second"]?.integerValue
        completesAt = instant("completes_at")
        blocker = nil
        errorCode = data["error"]?.objectValue?["code"]?.stringValue
        createdAt = instant("created_at")
        completedAt = instant("completed_at")
        sequence = data["sequence"]?.integerValue
    }

    /// Writes the object, its members always in the same order.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.write(id, id.transferKind)
        writer.member("session", session)
        writer.member("name", name)
        writer.member("origin", origin)
        writer.member("state", state)
        writer.member("count_of_bytes_received", received)
        if id.isUpload {
            writer.member("length", expected)
            writer.member("count_of_bytes_sent", sent)
        } else {
            writer.member("count_of_bytes_expected_to_receive", expected)
        }
        writer.member("bytes_per_second", bytesPerSecond)
        writer.member("completes_at", completesAt)
        writer.key("blocker")
        if let blocker {
            writer.beginObject()
            writer.member("code", blocker.code.rawValue)
            writer.member("until", blocker.until)
            writer.member("rule", blocker.rule)
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.member("error_code", errorCode)
        writer.member("created_at", createdAt)
        writer.member("completed_at", completedAt)
        writer.member("sequence", sequence)
        writer.endObject()
    }

    /// The name under which a file is shown: one that was given, else the last part of a path, else
    /// that of a URL; the host where a URL has no path.
    static func name(_ given: String?, path: String?, url: String) -> String {
        if let given { return given }
        if let last = path?.split(separator: "/").last { return String(last) }
        do throws(SourceURLError) {
            let source = try SourceURL(parsing: url)
            guard source.target.contains(where: { $0 != "/" && $0 != "?" }) else {
                return source.host
            }
            return SuggestedFilename.choose(contentDisposition: nil, path: source.target)
        } catch {
            return url.isEmpty ? "upload" : url
        }
    }

    private static func origin(of url: String) -> String? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).origin
        } catch {
            return nil
        }
    }
}

extension Download {
    /// The name under which its file is shown: the client's, else that of the answer, else one from
    /// the destination's path or the URL.
    package var name: String {
        let spec = shared.value
        return DownloadRow.name(
            spec.filename ?? outcome.value.response?.suggestedFilename,
            path: id.isUpload ? spec.destination?.path : nil, url: address ?? url)
    }
}
