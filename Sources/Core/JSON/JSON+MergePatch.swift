// Changing a document by another one.

extension JSON {
    /// The value after a merge patch (RFC 7396 section 2): null takes a member away.
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var object = objectValue ?? JSONObject()
        for (key, value) in changes.members {
            // A plain nil would be the value `null`.
            object[key] =
                value.isNull ? Optional<JSON>.none : (object[key] ?? .null).merging(value)
        }
        return .object(object)
    }
}
