/// The commands that talk to a running service.
package struct ClientProgram {
    /// Runs a command of `Command.client`.
    ///
    /// - Parameters:
    ///   - arguments: what was given.
    ///   - environment: the whole environment.
    /// - Returns: how the program ends.
    /// - Throws: `ClientFailure`, one sentence.
    package static func run(
        _ arguments: Arguments, environment: [String: String]
    ) throws(ClientFailure) -> ExitStatus {
        Interrupt.watch()
        let context = try ClientContext(arguments, environment: environment)
        do throws(ClientFailure) {
            return try perform(arguments.command.name, context)
        } catch {
            context.terminal.clearProgress()
            context.terminal.leaveInterruptedLine()
            throw error
        }
    }

    /// Prints how the service is and the first commands, if one answers.
    ///
    /// - Parameter environment: the whole environment.
    /// - Returns: false if none answers, or the key may not read it; then nothing was printed.
    package static func welcome(environment: [String: String]) -> Bool {
        guard let command = Command.client.first(where: { $0.name == "status" }) else {
            return false
        }
        do {
            let context = try ClientContext(
                try Arguments(command, []), environment: environment)
            try OverviewVerb(context: context).alone()
            return true
        } catch {
            return false
        }
    }

    private static func perform(
        _ name: String, _ context: ClientContext
    ) throws(ClientFailure) -> ExitStatus {
        switch name {
        case "get": return try GetVerb(context: context).run()
        case "save": return try SaveVerb(context).run()
        case "status": return try OverviewVerb(context: context).status()
        case "top": return try OverviewVerb(context: context).top()
        case "put": return try PutVerb(context: context).run()
        case "add": return try AddVerb(context: context).run()
        case "edit": return try EditVerb(context: context).run()
        case "list": return try ListVerb(context: context).list()
        case "show": return try ListVerb(context: context).show()
        case "why": return try ListVerb(context: context).why()
        case "watch": return try WaitVerb(context: context).watch()
        case "wait": return try WaitVerb(context: context).wait()
        case "cat": return try CatVerb(context: context).run()
        case "link": return try LinkVerb(context: context).run()
        case "events": return try EventsVerb(context: context).run()
        case "forecast": return try ForecastVerb(context: context).run()
        case "cancel", "suspend", "resume", "retry":
            return try ActionVerb(context: context, action: name).run()
        case "rm": return try ActionVerb(context: context, action: "delete").run()
        case "sessions": return try SessionsVerb(context: context).list()
        case "sessions rm": return try SessionsVerb(context: context).remove()
        case "sessions show": return try SessionsVerb(context: context).show()
        case "sessions set": return try SessionsVerb(context: context).set()
        case "sessions suspend": return try SessionsVerb(context: context).act("suspend")
        case "sessions foreground": return try SessionsVerb(context: context).act("foreground")
        case "sessions resume": return try SessionsVerb(context: context).act("resume")
        case "every": return try EveryVerb(context: context).run()
        case "sources": return try SourcesVerb(context: context).list()
        case "sources show": return try SourcesVerb(context: context).show()
        case "sources set": return try SourcesVerb(context: context).set()
        case "sources look": return try SourcesVerb(context: context).look()
        case "sources versions": return try SourcesVerb(context: context).versions()
        case "sources items": return try SourcesVerb(context: context).items()
        case "sources suspend": return try SourcesVerb(context: context).act("suspend")
        case "sources resume": return try SourcesVerb(context: context).act("resume")
        case "sources rm": return try SourcesVerb(context: context).remove()
        case "policy show": return try PolicyVerb(context: context).show()
        case "policy try": return try PolicyVerb(context: context).attempt()
        case "policy set": return try PolicyVerb(context: context).set()
        case "webhooks": return try WebhooksVerb(context: context).list()
        case "webhooks add": return try WebhooksVerb(context: context).add()
        case "webhooks rm": return try WebhooksVerb(context: context).remove()
        case "conditions": return try ConditionsVerb(context: context).list()
        case "conditions set": return try ConditionsVerb(context: context).set()
        case "conditions rm": return try ConditionsVerb(context: context).remove()
        case "limit": return try PolicyShortcutVerb(context: context).limit()
        case "night": return try PolicyShortcutVerb(context: context).night()
        case "webhooks deliveries": return try WebhooksVerb(context: context).deliveries()
        case "webhooks redeliver": return try WebhooksVerb(context: context).redeliver()
        case "webhooks ping": return try WebhooksVerb(context: context).ping()
        case "webhooks secret": return try WebhooksVerb(context: context).secret()
        default: preconditionFailure("\(name) has a line above")
        }
    }
}
