// The members of a source's downloads: which are allowed, which are secrets, and their sealed form.
internal import Base
internal import Crypto
internal import Downloads
internal import Scheduling

/// The template of a source with its secrets.
struct SourceTemplate: Sendable {
    /// The members that a template cannot have, with the reason.
    static let refused: KeyValuePairs = [
        "url": "is a member of the source",
        "external_id": "can name one download only, and each look is a download of its own",
        "replaces": "needs an external_id, which no look has",
        "resume_data": "is of one download",
        "earliest_begin_date": "is of one download; the schedule of the source says when it looks",
        "begin_deadline": "is of one download; the schedule of the source says when it looks",
        "complete_by": "is of one download; the schedule of the source says when it looks",
        "if_changed_from": "is made by the source itself",
        "if_none_match": "is made by the source itself",
        "if_modified_since": "is made by the source itself",
        "suspended": "would need somebody to resume each look; suspend the source instead",
    ]

    /// The members whose values are secrets for the source's origin.
    static let secret = ["headers", "body", "body_base64", "authorization"]

    /// The members as the client gave them.
    var members: JSONObject

    /// Refuses members that a template cannot have.
    ///
    /// - Throws: `validation-failed`.
    func check(_ spec: SourceSpec) throws(Problem) {
        var reader = FieldReader(members, at: "#/template")
        for (name, detail) in SourceTemplate.refused where members[name] != nil {
            reader.refuse(name, "cannot be in a template: it \(detail)")
        }
        if spec.keep != nil, members["content_retention"] != nil {
            reader.refuse("content_retention", "cannot be given together with keep")
        }
        for name in ["body", "body_base64"]
        where members[name]?.stringValue == RequestShape.redacted {
            reader.refuse(
                name,
                "is the placeholder that this service shows instead of a secret value; send the "
                    + "value itself")
        }
        if let folder = members["destination"]?.objectValue, folder["name"] != nil,
            let path = folder["path"]?.stringValue, !path.contains(SourceTemplate.versionMark),
            folder["on_conflict"]?.isNull ?? true
        {
            reader.adopt([
                FieldError(
                    reader.pointer("destination") + "/path",
                    "must contain \(SourceTemplate.versionMark), because each version needs a "
                        + "path of its own; or give an on_conflict")
            ])
        }
        guard reader.errors.isEmpty else { throw .invalid(reader.errors) }
    }

    /// The part of a destination's path that stands for the number of the version.
    static let versionMark = "{version}"

    /// The members of the download of a look.
    ///
    /// - Parameter version: the number that the version will have if it is a new one.
    /// - Returns: the members.
    func members(of version: Int64) -> JSONObject {
        guard var folder = members["destination"]?.objectValue,
            let path = folder["path"]?.stringValue, path.contains(SourceTemplate.versionMark)
        else { return members }
        let parts = path.split(
            separator: SourceTemplate.versionMark, omittingEmptySubsequences: false)
        folder["path"] = .string(parts.joined(separator: "\(version)"))
        var members = members
        members["destination"] = .object(folder)
        return members
    }

    /// The members that say how and when a download is asked for, and nothing of its file: a feed
    /// is fetched with these.
    var membersOfFeed: JSONObject {
        var object = JSONObject()
        for (name, value) in members.members where SourceTemplate.ofFeeds.contains(name) {
            object.append(name, value)
        }
        return object
    }

    private static let ofFeeds: Set = [
        "session", "priority", "headers", "authorization", "proxy", "tls", "retry", "metadata",
        "is_discretionary", "allows_expensive_network_access", "allows_constrained_network_access",
        "waits_for_connectivity", "timeout_interval_for_request", "timeout_interval_for_resource",
        "max_bytes_per_second",
    ]

    /// The condition of the next look: the known version, with its validators where the template's
    /// request may have them.
    ///
    /// - Parameters:
    ///   - known: what the source knows.
    ///   - isFeed: whether the source is a feed, whose document joins no other download.
    ///   - isFull: whether the look sends no validators.
    /// - Returns: the condition; nil to fetch the file in any case.
    func condition(
        _ known: SourceKnowledge, isFeed: Bool, isFull: Bool
    ) -> ChangeCondition? {
        // Others that join the download would get no content from an unchanged one.
        let isJoined = members["on_duplicate_url"]?.stringValue == DuplicateRule.join.rawValue
        guard isFeed || !isJoined else { return nil }
        // A feed is asked for by GET, whatever its items are asked for by.
        let isGet = isFeed || members["method"]?.stringValue.map { $0 == "GET" } ?? true
        let names = members["headers"]?.objectValue?.members.map { $0.key.lowercased() } ?? []
        return known.condition(isFull: isFull || !isGet || names.contains { $0.hasPrefix("if-") })
    }

    /// The members without the values of secrets, and whether there are any.
    var shown: (members: JSONObject, hasSecrets: Bool) {
        var shown = members
        var hasSecrets = SourceTemplate.redact(&shown)
        if var proxy = shown["proxy"]?.objectValue, proxy["password"] != nil {
            for name in ["username", "password"] {
                proxy[name] = .string(RequestShape.redacted)
            }
            shown["proxy"] = .object(proxy)
            hasSecrets = true
        }
        for name in ["begin_hook", "destination"] {
            guard var receiver = shown[name]?.objectValue else { continue }
            var isSecret = SourceTemplate.redact(&receiver)
            if var hook = receiver["hook"]?.objectValue {
                isSecret = SourceTemplate.redact(&hook) || isSecret
                receiver["hook"] = .object(hook)
            }
            shown[name] = .object(receiver)
            hasSecrets = hasSecrets || isSecret
        }
        return (shown, hasSecrets)
    }

    /// Takes the values of secrets out of an object.
    private static func redact(_ object: inout JSONObject) -> Bool {
        var isSecret = false
        for name in secret {
            guard let value = object[name], !value.isNull else { continue }
            isSecret = true
            if let headers = value.objectValue, name == "headers" {
                object[name] = RequestShape.redacted(headers.members.map(\.key))
            } else if name == "authorization" {
                object[name] = ["type": value["type"] ?? .null]
            } else {
                object[name] = .string(RequestShape.redacted)
            }
        }
        return isSecret
    }

    /// The template without the secrets that were given for another origin.
    ///
    /// - Parameters:
    ///   - old: the URL that they were given with.
    ///   - new: the URL from now on.
    ///   - given: the members that are given anew.
    /// - Returns: the names of the members that were dropped.
    mutating func rebind(from old: String, to new: String, given: JSONObject?) -> [String] {
        guard !SecretOrigin.isOne(old, new) else { return [] }
        let dropped = SourceTemplate.secret.filter {
            members[$0].map { !$0.isNull } ?? false && given?[$0] == nil
        }
        for name in dropped { members[name] = nil }
        return dropped
    }
}

extension SourceTemplate {
    /// The bytes that are sealed: the origin that they are for, and the members.
    private func plain(for url: String) -> [UInt8] {
        let bound: JSONObject = [
            "origin": .string(SecretOrigin(of: url)?.description ?? ""),
            "template": .object(members),
        ]
        return bound.serialized()
    }

    /// The associated data that binds the sealed form to its source.
    private static func associatedData(_ identifier: String, app: Int64) -> [UInt8] {
        Array("sources.sealed/\(app)/\(identifier)".utf8)
    }

    /// Seals the template if it has secrets, and gives the document the form without them.
    ///
    /// - Parameters:
    ///   - spec: the document.
    ///   - identifier: the source.
    ///   - app: its app.
    ///   - secrets: the keys.
    /// - Returns: the sealed template; nil without secrets.
    func seal(
        into spec: inout SourceSpec, of identifier: String, app: Int64, with secrets: SecretBox
    ) -> [UInt8]? {
        let (shown, hasSecrets) = shown
        spec.template = shown
        guard hasSecrets else { return nil }
        let plain = plain(for: spec.url)
        let associatedData = SourceTemplate.associatedData(identifier, app: app)
        spec.fingerprint = secrets.fingerprint(associatedData + plain)
        return secrets.seal(plain, for: associatedData)
    }

    /// Opens the template of a source; nil if no key opens it, or it is for another origin.
    init?(
        _ spec: SourceSpec, sealed: [UInt8]?, of identifier: String, app: Int64,
        with secrets: SecretBox
    ) {
        guard let sealed else {
            guard spec.fingerprint == nil else { return nil }
            members = spec.template
            return
        }
        let associatedData = SourceTemplate.associatedData(identifier, app: app)
        guard let plain = secrets.open(sealed, for: associatedData),
            let object = SourceTemplate.object(plain),
            let origin = object["origin"]?.stringValue, SecretOrigin.isOne(origin, spec.url),
            let members = object["template"]?.objectValue
        else { return nil }
        self.members = members
    }

    init(_ members: JSONObject) { self.members = members }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        do throws(JSONError) {
            return try JSON.parse(bytes).objectValue
        } catch {
            return nil
        }
    }
}
