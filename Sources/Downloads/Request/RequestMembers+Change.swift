// Changes the secrets of a download: by a patch, or because they were erased and are sent again.
package import Base

extension RequestMembers {
    /// The members that a patch may name; the method cannot change.
    package static let changeable = ["headers", "body", "body_base64", "authorization", "proxy"]

    /// The request with a change document applied, for the URL that the download has after the
    /// change.
    ///
    /// If that is another origin than the one that the secrets were given for, only the secrets of
    /// the document remain, and the proxy with its credentials.
    ///
    /// - Parameters:
    ///   - document: named members replace, null takes away; `headers` are merged by name.
    ///   - shape: the shown part of the download's request.
    ///   - secrets: what was sealed; nil where it cannot be read or was erased, and then every
    ///     member that held a secret must be named.
    ///   - old: the download's URL until now.
    ///   - url: its URL from now on.
    /// - Returns: the request, or every finding; a body that would be dropped is one.
    package static func changed(
        by document: JSONObject, shape: RequestShape, secrets: BoundSecrets?, from old: String,
        to url: String
    ) -> Result<ChangedRequest, FieldErrors> {
        let kept = secrets?.kept(for: url)
        let stays = secrets == nil ? SecretOrigin.isOne(old, url) : kept != nil
        let dropped = stays ? [] : left(by: shape, document)
        var missing = secrets == nil ? lost(shape, document, all: stays) : []
        if dropped.contains("body") {
            missing.append(
                FieldError(
                    "#/body",
                    "was given for another origin and is not sent to the new one; send it again, "
                        + "or null to remove it"))
        }
        guard missing.isEmpty else { return .failure(missing) }
        var given = document
        let removed = headers(removedBy: document)
        if let fields = document["headers"]?.objectValue {
            given["headers"] = .object(
                JSONObject(parsed: fields.members.filter { !$0.value.isNull }))
        }
        given["method"] = .string(shape.method.rawValue)
        var reader = FieldReader(given)
        let new = RequestMembers(reading: &reader)
        // An error about the whole request may concern kept members, so the whole is judged again
        // below.
        var result = RequestMembers()
        result.method = shape.method
        result.proxyURL = shape.proxyURL
        result.secrets = kept ?? RequestSecrets()
        result.secrets.proxyCredentials = secrets?.proxyCredentials
        (result.secrets.hook, result.secrets.relay) = (secrets?.hook, secrets?.relay)
        if document["headers"] != nil {
            let kept = document["headers"]?.isNull == true ? [] : result.secrets.headers
            result.secrets.headers =
                kept.filter { !removed.contains($0.name.lowercased()) }
                .overridden(by: new.secrets.headers)
        }
        if document["body"] != nil || document["body_base64"] != nil {
            result.secrets.body = new.secrets.body
        }
        if document["authorization"] != nil {
            result.secrets.authorization = new.secrets.authorization
        }
        if document["proxy"] != nil {
            result.proxyURL = new.proxyURL
            result.secrets.proxyCredentials = new.secrets.proxyCredentials
        }
        var whole = FieldReader(JSONObject())
        result.judge(&whole)
        let count = result.secrets.headers.count
        if count > HeaderFieldRules.countAtMost {
            whole.refuse("headers", "would be \(count) fields")
        }
        var errors = reader.errors
        for finding in whole.errors where !errors.contains(finding) { errors.append(finding) }
        return errors.isEmpty
            ? .success(ChangedRequest(members: result, dropped: dropped)) : .failure(errors)
    }

    /// The members with secrets that a change to another origin drops, because the document does
    /// not give them again.
    private static func left(by shape: RequestShape, _ document: JSONObject) -> [String] {
        shape.ownSecretMembers.filter { name in
            switch name {
            case "headers":
                guard let given = document[name] else { return true }
                let names = Set(given.objectValue?.members.map { $0.key.lowercased() } ?? [])
                return !given.isNull
                    && shape.headerNames.contains { !names.contains($0.lowercased()) }
            case "body": return document["body"] == nil && document["body_base64"] == nil
            // The proxy stays for every origin.
            case "proxy": return false
            default: return document[name] == nil
            }
        }
    }

    /// The members that have to be sent again because their secrets were erased: all of them, or
    /// only the proxy.
    private static func lost(
        _ shape: RequestShape, _ document: JSONObject, all: Bool
    ) -> FieldErrors {
        var reader = FieldReader(document)
        for name in shape.ownSecretMembers
        where document[name] == nil && (all || name == "proxy") {
            if name == "body", document["body_base64"] != nil { continue }
            reader.refuse(
                name, "was erased or cannot be read; send it again, or null to remove it")
        }
        return reader.errors
    }

    /// The names of the fields that the document sets to null, in lower case.
    private static func headers(removedBy document: JSONObject) -> Set<String> {
        let members = document["headers"]?.objectValue?.members ?? []
        return Set(members.lazy.filter { $0.value.isNull }.map { $0.key.lowercased() })
    }
}
