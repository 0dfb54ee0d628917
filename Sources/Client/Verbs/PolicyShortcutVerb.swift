// `lull limit` and `lull night`: the two common policies.
internal import Base
internal import Glibc

/// Shows a change of the policy, and puts it in force where it is confirmed.
struct PolicyShortcutVerb {
    let context: ClientContext

    /// Limits the bytes a second of all downloads; without a rate, shows the limit.
    func limit() throws(ClientFailure) -> ExitStatus {
        let (document, tag) = try current()
        guard let rate = context.arguments.operands.first else {
            let limit = document["bandwidth"]?["deployment"]?.stringValue
            try context.terminal.say(limit.map { "limit: \($0)" } ?? "there is no limit")
            return .done
        }
        return try put(
            PolicyShortcut.limit(document, rate: rate, zone: context.zoneName), tag)
    }

    /// Lets downloads whose time does not matter wait for hours of the night.
    func night() throws(ClientFailure) -> ExitStatus {
        let (document, tag) = try current()
        guard let hours = context.arguments.operands.first else {
            let hours = document["windows"]?["night"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let zone = document["time_zone"]?.stringValue ?? "UTC"
            try context.terminal.say(
                hours.isEmpty
                    ? "there is no night" : "night: \(hours.joined(separator: ", ")) (\(zone))")
            return .done
        }
        let shortcut = try PolicyShortcut.night(
            document, hours: hours, zone: context.zoneName,
            isForAll: context.arguments.has("--everything"))
        return try put(shortcut, tag)
    }

    private func current() throws(ClientFailure) -> (JSONObject, String?) {
        var request = Request("GET", "/v1/policy")
        request.timeout = .seconds(60)
        let reply = try context.transport.send(request)
        return (try reply.json()["document"]?.objectValue ?? JSONObject(), reply["etag"])
    }

    private func put(_ shortcut: PolicyShortcut, _ tag: String?) throws(ClientFailure) -> ExitStatus
    {
        guard !shortcut.changes.isEmpty else {
            try context.terminal.say("the policy has this already")
            return .done
        }
        let tried = try context.post("/v1/policy/try", body: shortcut.document).json()
        for line in shortcut.changes { context.terminal.note(Printable.text(line)) }
        let counts = ["sooner", "later"].map { name in
            "\(tried["counts"]?[name]?.integerValue ?? 0) \(name)"
        }
        context.terminal.note(
            "of \(tried["judged"]?.integerValue ?? 0) waiting downloads: "
                + counts.joined(separator: ", "))
        if !context.arguments.has("--yes") {
            guard let isWanted = context.terminal.confirms("put it in force?") else {
                throw .usage("the policy is as it was; add --yes to put this in force")
            }
            guard isWanted else { return .failed }
        }
        let answer = try context.change(
            "PUT", "/v1/policy", body: shortcut.document, match: tag)
        if context.isJSON {
            try context.say(answer)
            return .done
        }
        let version = answer["version"]?.integerValue.map { "version \($0)" } ?? "it"
        try context.terminal.say("\(version) is in force")
        return .done
    }
}
