// A policy as the body of an answer.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

/// A stored policy with the findings about it.
struct PolicyAnswer {
    /// The version; 0 if none is stored.
    let version: Int64
    /// The time at which it was stored; nil if none is.
    let updatedAt: Timestamp?
    /// The document.
    let document: JSONObject
    /// The findings without errors; nil leaves the member out.
    let findings: [PolicyFinding]?

    /// The body of an answer.
    var body: JSONWriter {
        var writer = JSONWriter(capacity: 1024)
        write(to: &writer)
        return writer
    }

    /// Writes the policy as a value.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("version", version)
        writer.member("updated_at", updatedAt)
        writer.key("document")
        writer.write(.object(document))
        if let findings { findings.write(to: &writer) }
        writer.endObject()
    }
}

extension [PolicyFinding] {
    /// Writes findings as the member `findings`.
    func write(to writer: inout JSONWriter) {
        writer.key("findings")
        writer.beginArray()
        for finding in self { finding.write(to: &writer) }
        writer.endArray()
    }
}
