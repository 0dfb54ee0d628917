// `lull link`: an address of content for a browser.
internal import Base

/// Makes a link to the content of a download, which needs no key.
struct LinkVerb {
    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        var body: JSONObject = [
            "disposition": context.arguments.has("--inline") ? "inline" : "attachment"
        ]
        if let text = context.arguments["--ttl"].last {
            do throws(QuantityError) {
                let span = try DurationText.parse(text)
                body["ttl_seconds"] = .integer(span.wholeMicroseconds / 1_000_000)
            } catch {
                throw .usage("--ttl: \(error)")
            }
        }
        let path = ClientContext.path(context.arguments.operands[0], "/content/link")
        let link = try context.change("POST", path, body: .object(body))
        if context.isJSON {
            try context.say(link)
            return .done
        }
        guard let href = link["href"]?.stringValue else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        let server = context.transport.settings.server
        let isPath = href.hasPrefix("/") && server.socket == nil
        try context.terminal.say(isPath ? server.base + href : href)
        return .done
    }
}
