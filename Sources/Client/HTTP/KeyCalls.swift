// The calls of `lull keys` to a running service.
package import Base

/// Makes, lists, revokes and limits keys over the API of a service.
package struct KeyCalls {
    private let context: ClientContext

    /// Reads the address and the key; sends no request.
    ///
    /// - Parameters:
    ///   - arguments: the command.
    ///   - environment: the whole environment.
    ///   - server: the address of the service, where neither names one.
    /// - Throws: `ClientFailure` for settings that cannot be used.
    package init(
        _ arguments: Arguments, environment: [String: String], server: String? = nil
    ) throws(ClientFailure) {
        Interrupt.watch()
        var environment = environment
        if environment["LULL_SERVER"]?.isEmpty ?? true { environment["LULL_SERVER"] = server }
        context = try ClientContext(arguments, environment: environment)
    }

    /// Whether a command uses the API: it names a service or a key, or the environment names a key
    /// or another service than that of this machine.
    ///
    /// - Parameters:
    ///   - arguments: the command.
    ///   - environment: the whole environment.
    ///   - own: the address of the service whose data directory the settings name.
    /// - Returns: whether it does.
    /// - Throws: `ClientFailure` for an address that is none.
    package static func areMeant(
        _ arguments: Arguments, environment: [String: String], own: String
    ) throws(ClientFailure) -> Bool {
        func given(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let isNamed = arguments.has("--server") || arguments.has("--key-file")
        if isNamed || given("LULL_KEY") != nil || given("LULL_KEY_FILE") != nil { return true }
        guard let named = given("LULL_SERVER") else { return false }
        let (first, second) = (try ServerAddress(named), try ServerAddress(own))
        return first.base != second.base || first.socket != second.socket
    }

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - scopes: the names of its scopes.
    /// - Returns: the key as the service shows it, this once with its text.
    /// - Throws: `ClientFailure`.
    package func create(app: String, scopes: [String]) throws(ClientFailure) -> JSON {
        try context.change(
            "POST", "/v1/keys",
            body: ["app": .string(app), "scopes": .array(scopes.map { .string($0) })])
    }

    /// The keys, the newest first.
    ///
    /// - Parameter app: only keys of this app; nil for all.
    /// - Returns: the keys as the service shows them.
    /// - Throws: `ClientFailure`.
    package func list(app: String? = nil) throws(ClientFailure) -> [JSON] {
        var keys: [JSON] = []
        _ = try context.list("/v1/keys", query: app.map { [("app", $0)] } ?? []) {
            key throws(ClientFailure) in keys.append(key)
        }
        return keys
    }

    /// Revokes a key.
    ///
    /// - Parameters:
    ///   - number: the key's number.
    ///   - isLastAllowed: whether it may be the last one with the scope `admin`.
    /// - Returns: false if it is the last one, and that is not allowed.
    /// - Throws: `ClientFailure`.
    package func revoke(
        _ number: Int64, isLastAllowed: Bool
    ) throws(ClientFailure) -> Bool {
        var request = Request("DELETE", "/v1/keys/\(number)")
        request.query = isLastAllowed ? [("last", "true")] : []
        request.timeout = .seconds(60)
        let reply = try context.transport.exchange(request)
        if reply.status == 409 { return false }
        guard reply.status < 400 else { throw context.transport.refusal(reply) }
        return true
    }

    /// Changes limits of an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - limits: the members that change; null for no limit.
    /// - Returns: all limits of the app; nil if it has no valid key.
    /// - Throws: `ClientFailure`.
    package func limit(app: String, _ limits: JSONObject) throws(ClientFailure) -> JSON? {
        let valid = try list(app: app).first { $0["revoked_at"]?.isNull ?? true }
        guard let valid, let id = valid["id"]?.stringValue else { return nil }
        guard !limits.members.isEmpty else { return valid["limits"] }
        let changed = try context.change(
            "PATCH", "/v1/keys/\(Request.encoded(id))", body: ["limits": .object(limits)])
        return changed["limits"]
    }
}
