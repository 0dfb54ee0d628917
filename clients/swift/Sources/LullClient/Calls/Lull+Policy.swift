// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// The policy document in force.
    ///
    /// Before one is stored it is the empty document, version 0.
    public func getPolicy() async throws(LullError) -> PolicyVersion {
        let call = Call(
            .get, ["v1", "policy"], operation: "getPolicy", mayRepeat: true)
        return try await self.value(call)
    }

    /// Replace the policy document.
    ///
    /// It takes effect at once, for waiting downloads too. `If-None-Match: *` succeeds only before
    /// one is stored.
    @discardableResult
    public func putPolicy(_ body: Policy, ifMatch: String? = nil) async throws(LullError) -> PolicyVersion {
        var call = Call(
            .put, ["v1", "policy"], operation: "putPolicy", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Delete the policy document.
    ///
    /// Nothing waits for a rule then, and the limits of the settings hold. Versions go on: the next
    /// document has a number that none had before.
    public func deletePolicy(ifMatch: String? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "policy"], operation: "deletePolicy", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// What an app adds to the policy.
    ///
    /// Before one is stored it is the empty document, version 0. A key reads that of its own app,
    /// one with the scope `admin` any.
    public func getAppPolicy(app: String) async throws(LullError) -> AppPolicyVersion {
        let call = Call(
            .get, ["v1", "apps", app, "policy"], operation: "getAppPolicy", mayRepeat: true)
        return try await self.value(call)
    }

    /// Replace what an app adds to the policy.
    ///
    /// It takes effect at once. Its rules have to hold as well, of limits and rates the lower ones
    /// count, its budgets are further ones; a number that is not lower is taken and answered as
    /// `no_effect`.
    @discardableResult
    public func putAppPolicy(
        app: String,
        _ body: AppPolicy,
        ifMatch: String? = nil
    ) async throws(LullError) -> AppPolicyVersion {
        var call = Call(
            .put, ["v1", "apps", app, "policy"], operation: "putAppPolicy", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Delete what an app adds to the policy.
    ///
    /// The deployment's policy alone holds for it then. Versions go on.
    public func deleteAppPolicy(app: String, ifMatch: String? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "apps", app, "policy"], operation: "deleteAppPolicy", mayRepeat: true)
        call.field("If-Match", ifMatch)
        try await self.finish(call)
    }

    /// List the last hundred versions of what an app adds to the policy.
    public func listAppPolicyVersions(app: String) async throws(LullError) -> PolicyVersions {
        let call = Call(
            .get, ["v1", "apps", app, "policy", "versions"], operation: "listAppPolicyVersions", mayRepeat: true)
        return try await self.value(call)
    }

    /// What an app's policy document would change.
    ///
    /// Judges that app's waiting downloads, 2,000 at most, under the policy in force and with this
    /// document in place of the app's. Nothing is changed.
    @discardableResult
    public func tryAppPolicy(app: String, _ body: AppPolicy) async throws(LullError) -> PolicyTrial {
        var call = Call(
            .post, ["v1", "apps", app, "policy", "try"], operation: "tryAppPolicy", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// The JSON Schema of policy documents.
    ///
    /// Made from the table that judges documents. What texts mean, such as the names in a
    /// requirement, is judged with the whole document.
    public func getPolicySchema() async throws(LullError) -> [String: JSONValue] {
        let call = Call(
            .get, ["v1", "policy", "schema"], operation: "getPolicySchema", mayRepeat: true)
        return try await self.value(call)
    }

    /// List the last hundred versions of the policy document.
    public func listPolicyVersions() async throws(LullError) -> PolicyVersions {
        let call = Call(
            .get, ["v1", "policy", "versions"], operation: "listPolicyVersions", mayRepeat: true)
        return try await self.value(call)
    }

    /// What a policy document would change.
    ///
    /// Judges the app's waiting downloads, 2,000 at most, under the policy in force and under this
    /// one. Nothing is changed.
    @discardableResult
    public func tryPolicy(_ body: Policy) async throws(LullError) -> PolicyTrial {
        var call = Call(
            .post, ["v1", "policy", "try"], operation: "tryPolicy", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Why a download would wait, and until when.
    ///
    /// The body is that of a create; nothing is created.
    @discardableResult
    public func explainPolicy(_ body: NewDownload) async throws(LullError) -> Explanation {
        var call = Call(
            .post, ["v1", "policy", "explain"], operation: "explainPolicy", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// When what waits will begin and end.
    ///
    /// The queue run forward by the code that decides, as often as there is time for: the rules,
    /// slots, limits and shares, with rates and sizes as they were learned. It is some seconds old
    /// at most, or ten times as old as it took to make. `downloads` has a page of your waiting
    /// downloads, the oldest first; `hours` the next three days of everything. `begin` and `end`
    /// are null where a rule waits for something whose future is not known.
    public func getForecast(
        limit: Int? = nil,
        cursor: String? = nil,
        session: String? = nil
    ) async throws(LullError) -> Forecast {
        var call = Call(
            .get, ["v1", "forecast"], operation: "getForecast", mayRepeat: true)
        call.query("limit", limit)
        call.query("cursor", cursor)
        call.query("session", session)
        return try await self.value(call)
    }

    /// List all conditions with their values.
    ///
    /// Those that are built in, those that the policy declares, and those that were pushed. Of a
    /// measured one `value` is that of the replica that answers, and `replicas` has each: downloads
    /// wait for it only where no replica may begin them. What a replica cannot read is unknown
    /// there (`is_known: false`), as pressure is without `/proc/pressure`.
    public func listConditions() async throws(LullError) -> ConditionPage {
        let call = Call(
            .get, ["v1", "conditions"], operation: "listConditions", mayRepeat: true)
        return try await self.value(call)
    }

    /// Read a condition with its last hundred changes.
    public func getCondition(name: String) async throws(LullError) -> Condition {
        let call = Call(
            .get, ["v1", "conditions", name], operation: "getCondition", mayRepeat: true)
        return try await self.value(call)
    }

    /// Push a value of a condition.
    ///
    /// The last writer wins, by the database's clock, and every replica decides by the value within
    /// a second. A value under a name that no policy declares is kept for a day; `used_by` is empty
    /// then.
    @discardableResult
    public func putCondition(name: String, _ body: ConditionPush) async throws(LullError) -> Condition {
        var call = Call(
            .put, ["v1", "conditions", name], operation: "putCondition", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Remove what was pushed; the default counts.
    public func deleteCondition(name: String) async throws(LullError) {
        let call = Call(
            .delete, ["v1", "conditions", name], operation: "deleteCondition", mayRepeat: true)
        try await self.finish(call)
    }
}
