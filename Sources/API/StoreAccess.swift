internal import Crypto
internal import HTTPWire
package import Store

/// The stores that the API uses.
package struct StoreAccess: Sendable {
    /// The intake of new downloads.
    package var intake: Intake
    /// The store of downloads.
    package var downloads: Downloads
    /// The sessions.
    package var sessions: Sessions
    /// The policy document.
    package var policies: Policies
    /// The store of pushed conditions.
    package var conditions: Conditions
    /// The hub that wakes waiting requests.
    package var changes: ChangeHub

    /// Sets all members.
    package init(
        intake: Intake, downloads: Downloads, sessions: Sessions, policies: Policies,
        conditions: Conditions,
        changes: ChangeHub
    ) {
        self.intake = intake
        self.downloads = downloads
        self.sessions = sessions
        self.policies = policies
        self.conditions = conditions
        self.changes = changes
    }
}
