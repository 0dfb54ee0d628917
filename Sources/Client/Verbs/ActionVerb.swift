// `lull cancel`, `suspend`, `resume`, `retry`, `rm`: actions on downloads.
internal import Base
internal import Platform

/// Acts on the named downloads, or on all that match a filter.
struct ActionVerb {
    let context: ClientContext
    /// The action's name in the API; `delete` for `rm`.
    let action: String

    func run() throws(ClientFailure) -> ExitStatus {
        let ids = context.arguments.operands
        let filter = try DownloadFilter(context.arguments)
        guard ids.isEmpty else {
            guard filter.isEmpty else {
                throw .usage("give identifiers of downloads or a filter, not both")
            }
            return try act(on: ids)
        }
        guard !filter.isEmpty else {
            throw .usage(
                "lull \(context.arguments.command.name) needs an ID, or a filter such as --state")
        }
        return try act(on: filter)
    }

    /// Acts on one download after the other; a refusal does not stop it.
    private func act(on ids: [String]) throws(ClientFailure) -> ExitStatus {
        var worst = ExitStatus.done
        for id in ids {
            do throws(ClientFailure) {
                try act(on: id)
            } catch {
                guard error.status == .failed, ids.count > 1 else { throw error }
                worst = .failed
                context.terminal.note("lull: \(id): \(error)")
            }
        }
        return worst
    }

    private func act(on id: String) throws(ClientFailure) {
        if context.arguments.has("--dry-run") {
            let document = try context.get(ClientContext.path(id))
            guard let view = DownloadView(document) else { return }
            return try context.terminal.say("\(id) is \(view.sentence(context.clock))")
        }
        guard action != "delete" else {
            _ = try context.change("DELETE", ClientContext.path(id))
            return try context.terminal.say("\(id) deleted")
        }
        let answer = try context.change("POST", ClientContext.path(id, "/\(action)"))
        let document = try settled(id, answer)
        if context.isJSON { return try context.say(document) }
        guard let view = DownloadView(document) else { return }
        let isStopping = view.state == "canceling" || view.state == "running"
        guard let aim = ActionVerb.aims[action], isStopping else {
            return try context.terminal.say("\(id) \(view.sentence(context.clock))")
        }
        try context.terminal.say("\(id) will be \(aim) as soon as its transfer has stopped")
    }

    /// The states that actions lead to where a running transfer has to stop first.
    private static let aims = ["suspend": "suspended", "cancel": "canceled"]
    /// The longest wait for the end of a transfer, in nanoseconds.
    private static let stopAtMost: Int64 = 5_000_000_000

    /// The document of a download after its transfer has stopped, or after a few seconds.
    private func settled(_ id: String, _ answer: JSON) throws(ClientFailure) -> JSON {
        var document = answer
        let end = SystemClock.bootNanoseconds() + ActionVerb.stopAtMost
        while ActionVerb.aims[action] != nil, SystemClock.bootNanoseconds() < end,
            document["state"] == "running" || document["state"] == "canceling"
        {
            try context.transport.pause(.milliseconds(200))
            do throws(ClientFailure) {
                document = try context.get(ClientContext.path(id))
            } catch {
                // The key may have no right to read what it may stop.
                guard error.status == .key else { throw error }
                return document
            }
        }
        return document
    }

    private func act(on filter: DownloadFilter) throws(ClientFailure) -> ExitStatus {
        let body: JSON = ["action": .string(action), "filter": filter.document]
        let isDry = context.arguments.has("--dry-run")
        if isDry || !context.arguments.has("--yes") {
            let counted = try context.post(
                filter.path + "/bulk", body: body, query: [("dry_run", "true")]
            ).json()
            let count = counted["changed"]?.integerValue ?? 0
            if isDry { return try report(counted, filter.noun, changed: "would change") }
            let question = "\(action) \(count) \(filter.noun)?"
            guard let isWanted = context.terminal.confirms(question) else {
                throw .usage("\(count) \(filter.noun) would change; add --yes to \(action) them")
            }
            guard isWanted else { return .failed }
        }
        return try report(
            try context.post(filter.path + "/bulk", body: body).json(), filter.noun,
            changed: "changed")
    }

    private func report(
        _ answer: JSON, _ noun: String, changed verb: String
    ) throws(ClientFailure) -> ExitStatus {
        if context.isJSON {
            try context.say(answer)
        } else {
            let matched = answer["matched"]?.integerValue ?? 0
            let changed = answer["changed"]?.integerValue ?? 0
            let overQuota = answer["over_quota"]?.integerValue
            try context.terminal.say(
                "\(matched) \(noun) matched, \(changed) \(verb)"
                    + (overQuota.map { ", \($0) were not, because the app is at its limit" } ?? ""))
        }
        return .done
    }
}
