// Changes a document by a merge patch.

extension JSON {
    /// The value after a merge patch (RFC 7396 section 2): null takes a member away.
    ///
    /// - Complexity: O(n) in the members of both.
    package func merging(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        return .object((objectValue ?? JSONObject()).merging(changes))
    }
}

extension JSONObject {
    fileprivate func merging(_ changes: JSONObject) -> JSONObject {
        let mine = positions()
        let theirs = changes.positions()
        var merged: [(key: String, value: JSON)] = []
        for (key, value) in members {
            guard let place = theirs[KeyText(key)] else {
                merged.append((key, value))
                continue
            }
            let change = changes.members[place].value
            if !change.isNull { merged.append((key, value.merging(change))) }
        }
        for (key, change) in changes.members where mine[KeyText(key)] == nil {
            if !change.isNull { merged.append((key, JSON.null.merging(change))) }
        }
        return JSONObject(parsed: merged)
    }
}
