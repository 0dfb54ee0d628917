// Reduces answers for keys that may change downloads but not read them.
internal import Base
internal import HTTPWire

extension Response {
    /// The header fields that such an answer keeps; `Retry-After` would tell why a download waits.
    private static let unreadFields: Set<String> = [
        "Content-Type", "Location", "Idempotent-Replayed", "Preference-Applied",
    ]

    /// The limits for reading an answer: enough for a batch of a thousand with all members.
    private static let readAtMost = JSONLimits(
        bytes: 256 << 20, values: 2_000_000, memory: 256 << 20)

    /// The answer with some members of its object, or of each object of its list `data`.
    ///
    /// All other members are left out, so that a new one is hidden until it is allowed. The tag
    /// keeps the number that `If-Match` compares.
    func unread(keeping members: [String]) -> Response {
        var kept = self
        kept.headers = []
        for (name, value) in headers {
            if Response.unreadFields.contains(name) { kept.headers.append((name, value)) }
            if name == "ETag" { kept.headers.append((name, Response.withoutBytes(value))) }
        }
        guard case .bytes(let bytes) = body, !bytes.isEmpty else { return kept }
        kept.body = .bytes(Response.object(bytes, keeping: members).line())
        return kept
    }

    private static func object(_ bytes: [UInt8], keeping members: [String]) -> JSONObject {
        do throws(JSONError) {
            let document = try JSON.parse(bytes, limits: readAtMost)
            guard let object = document.objectValue else { return JSONObject() }
            return object.keeping(members)
        } catch {
            return JSONObject()
        }
    }

    /// A tag without the part behind its hyphen.
    private static func withoutBytes(_ tag: String) -> String {
        guard let hyphen = tag.firstIndex(of: "-") else { return tag }
        return tag[..<hyphen] + "-0\""
    }
}

extension JSONObject {
    fileprivate func keeping(_ names: [String]) -> JSONObject {
        var kept = JSONObject()
        if let list = self["data"]?.arrayValue {
            let items = list.map { JSON.object(($0.objectValue ?? JSONObject()).keeping(names)) }
            kept.append("data", .array(items))
        }
        for name in names { kept.append(name, ifPresent: self[name]) }
        return kept
    }
}

extension Problem {
    /// The members that a refusal keeps for such a key: values that it sent, and states.
    private static let unreadMembers: Set<String> = [
        "allowed", "column", "download", "host", "line", "resolved_address", "setting", "state",
        "violated_policies",
    ]

    /// The refusal with the members that such a key may see.
    var unread: Problem {
        var kept = self
        kept.members = JSONObject()
        for (name, value) in members.members where Problem.unreadMembers.contains(name) {
            kept.members.append(name, value)
        }
        return kept
    }
}
