// `lull keys` over the API of a running service.
internal import Base
internal import Client
internal import Downloads
internal import Store

extension Keys {
    /// Performs the change, and prints what the change in the data directory prints.
    func perform(_ calls: KeyCalls) throws {
        switch self {
        case .create(let app, let scopes):
            let names = KeyScope.allCases.filter(scopes.contains).map(\.rawValue)
            let made = try calls.create(app: app, scopes: names)
            guard let key = made["key"]?.stringValue, let number = Keys.number(made) else {
                throw CommandError("the service has answered without a key")
            }
            Keys.show(key, number, app, scopes)
        case .list:
            for key in try calls.list() {
                print(
                    Keys.line(
                        Keys.number(key) ?? 0, key["app"]?.stringValue ?? "",
                        key["created_at"]?.stringValue ?? "",
                        revoked: key["revoked_at"]?.stringValue,
                        key["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                        used: key["last_used_at"]?.stringValue))
            }
        case .revoke(let number, let isLastAllowed):
            guard try calls.revoke(number, isLastAllowed: isLastAllowed) else {
                throw CommandError(
                    "key \(number) is the last valid one with the scope admin; make another one "
                        + "first, or revoke it with --last")
            }
        case .limit(let app, let change):
            guard let limits = try calls.limit(app: app, Keys.members(of: change)) else {
                throw CommandError(
                    "there is no app \(app) with a valid key; lull keys create makes one")
            }
            let shown = AppLimits(
                requestsPerSecond: limits["requests_per_second"]?.doubleValue,
                queued: limits["queued"]?.integerValue,
                running: limits["running"]?.integerValue.map { Int32(clamping: $0) },
                stagedBytes: limits["staged_bytes"]?.integerValue)
            print(Keys.line(ofApp: app, shown))
        }
    }

    private static func number(_ key: JSON) -> Int64? {
        key["id"]?.stringValue.flatMap { Int64($0) }
    }

    /// The members of a change, as the API takes them.
    private static func members(of change: AppLimitChange) -> JSONObject {
        func value<Value>(
            _ limit: AppLimitChange.Limit<Value>, _ form: (Value) -> JSON
        ) -> JSON? {
            switch limit {
            case .unchanged: nil
            case .none: .null
            case .most(let most): form(most)
            }
        }
        var members = JSONObject()
        members["requests_per_second"] = value(change.requestsPerSecond) { .number($0) }
        members["queued"] = value(change.queued) { .integer($0) }
        members["running"] = value(change.running) { .integer(Int64($0)) }
        members["staged_bytes"] = value(change.stagedBytes) { .integer($0) }
        return members
    }
}
