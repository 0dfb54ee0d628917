// Stored and shown values as trees of JSON, for tests to look into.
package import Base
package import Downloads

extension Download {
    /// The resource; its blockers are left out if there are none to show.
    package func json(blockers: [Blocker]?) -> JSONObject {
        var writer = JSONWriter()
        write(to: &writer, blockers: blockers)
        return parsed(writer.text).objectValue ?? JSONObject()
    }
}

extension MemberList {
    /// A member of the stored form; nil if it is left out.
    package subscript(name: String) -> JSON? { parsed(text(as: .stored))[name] }
}

private func parsed(_ text: String) -> JSON {
    do throws(JSONError) { return try JSON.parse(text) } catch {
        preconditionFailure("\(error): \(text)")
    }
}
