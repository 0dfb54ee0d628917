// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// What the key of the request may do.
    ///
    /// Any valid key may ask. A service without keys answers with the app `default` and all scopes.
    public func getKey() async throws(LullError) -> KeyGrant {
        let call = Call(
            .get, ["v1", "key"], operation: "getKey", mayRepeat: true)
        return try await self.value(call)
    }

    /// List the keys of all apps.
    ///
    /// The newest first, revoked ones too; without the texts of the keys, of which only digests are
    /// stored.
    public func listKeys(
        app: String? = nil,
        limit: Int? = nil,
        cursor: String? = nil
    ) async throws(LullError) -> ListKeysAnswer {
        var call = Call(
            .get, ["v1", "keys"], operation: "listKeys", mayRepeat: true)
        call.query("app", app)
        call.query("limit", limit)
        call.query("cursor", cursor)
        return try await self.value(call)
    }

    /// Make a key.
    ///
    /// This answer alone has the text of the key. After a lost answer delete the key, which `GET
    /// /v1/keys` lists first, and make another. An app that is not there yet is made, with its
    /// session `default`. Each change of a key is in the log.
    @discardableResult
    public func createKey(_ body: NewKey) async throws(LullError) -> CreatedKey {
        var call = Call(
            .post, ["v1", "keys"], operation: "createKey", mayRepeat: false)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }

    /// Change the scopes of a key, or the limits of its app.
    ///
    /// A merge patch: members that are absent stay, and null removes a limit. It takes effect
    /// within 12 seconds, the limits for all keys of the app. To take `admin` from the last valid
    /// key that has it needs `last=true` (else 409 `last-admin-key`).
    @discardableResult
    public func changeKey(
        id: String,
        _ body: KeyPatch,
        last: Bool? = nil
    ) async throws(LullError) -> Key {
        var call = Call(
            .patch, ["v1", "keys", id], operation: "changeKey", mayRepeat: true)
        call.query("last", last)
        try call.body(body, type: "application/merge-patch+json")
        return try await self.value(call)
    }

    /// Revoke a key.
    ///
    /// It may be accepted for another 12 seconds, and its open streams end within 30. Lists still
    /// show it, with `revoked_at`. The last valid key with the scope `admin` needs `last=true`
    /// (else 409 `last-admin-key`).
    public func deleteKey(id: String, last: Bool? = nil) async throws(LullError) {
        var call = Call(
            .delete, ["v1", "keys", id], operation: "deleteKey", mayRepeat: true)
        call.query("last", last)
        try await self.finish(call)
    }

    /// Whether the process answers.
    ///
    /// It does not depend on the database.
    public func getLiveness() async throws(LullError) -> String {
        let call = Call(
            .get, ["livez"], operation: "getLiveness", mayRepeat: true)
        return try await self.text(call)
    }

    /// Whether the service can do its work.
    public func getReadiness() async throws(LullError) -> Readiness {
        let call = Call(
            .get, ["readyz"], operation: "getReadiness", mayRepeat: true)
        return try await self.value(call)
    }

    /// Numbers for Prometheus.
    ///
    /// The text format 0.0.4. With `LULL_METRICS_AUTH=on` it needs a key with the scope `admin`
    /// where keys are needed, and names apps. docs/metrics.md lists the families. Figures of the
    /// queue (`lull_downloads`, `lull_waiting_downloads`, `lull_oldest_waiting_seconds`,
    /// `lull_deliveries` and others) are of the whole deployment, counted by lane at most every ten
    /// seconds while somebody asks for them, and absent from the first answer; all others are of
    /// this replica.
    public func getMetrics() async throws(LullError) -> String {
        let call = Call(
            .get, ["metrics"], operation: "getMetrics", mayRepeat: true)
        return try await self.text(call)
    }

    /// The version of the program.
    public func getVersion() async throws(LullError) -> ServiceVersion {
        let call = Call(
            .get, ["version"], operation: "getVersion", mayRepeat: true)
        return try await self.value(call)
    }

    /// This document.
    public func getDescription() async throws(LullError) -> String {
        let call = Call(
            .get, ["openapi.yaml"], operation: "getDescription", mayRepeat: true)
        return try await self.text(call)
    }

    /// The page of a problem type.
    public func getProblemPage(slug: String) async throws(LullError) -> String {
        let call = Call(
            .get, ["problems", slug], operation: "getProblemPage", mayRepeat: true)
        return try await self.text(call)
    }

    /// The start page.
    ///
    /// Text for people at a terminal. If `Accept` prefers `text/html`, as that of browsers does,
    /// the answer sends them to the page below `/ui/`, unless the operator has switched it off
    /// (`LULL_UI`).
    public func getIndex() async throws(LullError) -> String {
        let call = Call(
            .get, [], operation: "getIndex", mayRepeat: true)
        return try await self.text(call)
    }

    /// The address of the page with its last slash.
    public func getPageRedirect() async throws(LullError) -> String {
        let call = Call(
            .get, ["ui"], operation: "getPageRedirect", mayRepeat: true)
        return try await self.location(call)
    }

    /// The page for people in a browser.
    ///
    /// It uses this API alone, with the key that its user gives it. Its scripts read the query, so
    /// that any is accepted.
    public func getPage() async throws(LullError) -> String {
        let call = Call(
            .get, ["ui", ""], operation: "getPage", mayRepeat: true)
        return try await self.text(call)
    }

    /// A view of the page, or one of its files.
    ///
    /// The views `queue`, `add`, `download`, `when`, `policy`, `webhooks` and `sessions` are the
    /// document of `/ui/`. Every other name is that of a file, or 404.
    public func getPageFile(name: String) async throws(LullError) -> String {
        let call = Call(
            .get, ["ui", name], operation: "getPageFile", mayRepeat: true)
        return try await self.text(call)
    }
}
