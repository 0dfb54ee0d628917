// Events whose data is the short form of their download.
internal import Base
internal import Downloads
internal import Store

/// Shortens events of downloads and uploads for readers of very many.
enum EventRow {
    /// An event, in the form of a webhook, with the short form of its data; one that cannot be read
    /// stays as it is.
    static func body(_ body: [UInt8]) -> [UInt8] {
        do throws(JSONError) {
            guard let message = try JSON.parse(body).objectValue,
                let type = message["type"]?.stringValue,
                let timestamp = message["timestamp"]?.stringValue,
                let data = message["data"]?.objectValue,
                // That of an erased download has none.
                data["state"]?.stringValue != nil,
                let id = data["id"]?.stringValue.flatMap({
                    Identifier($0, kind: .download) ?? Identifier($0, kind: .upload)
                })
            else { return body }
            var writer = JSONWriter(capacity: 512)
            writer.beginObject()
            writer.member("type", type)
            writer.member("timestamp", timestamp)
            writer.key("data")
            DownloadRow(ofEvent: data, of: id).write(to: &writer)
            writer.endObject()
            return writer.finish()
        } catch {
            return body
        }
    }
}

extension ProgressNote {
    /// The event in a form.
    func body(_ view: DownloadView) -> [UInt8] { view == .row ? EventRow.body(body) : body }
}
