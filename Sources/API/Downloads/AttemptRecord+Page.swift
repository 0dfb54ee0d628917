// The attempts of a download as an answer.
internal import Base
internal import Downloads
internal import Store

extension [AttemptRecord] {
    /// The body of `GET /v1/downloads/{id}/attempts`.
    var page: JSONWriter {
        var writer = JSONWriter(capacity: 512 * (count + 1))
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for attempt in self { attempt.write(to: &writer) }
        writer.endArray()
        writer.key("next_cursor")
        writer.writeNull()
        writer.endObject()
        return writer
    }
}

extension AttemptRecord {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("attempt")
        writer.write(Int64(number))
        writer.member("outcome", outcome)
        writer.member("started_at", startedAt)
        writer.member("ended_at", endedAt)
        detail.writeShown(to: &writer)
        writer.endObject()
    }
}
