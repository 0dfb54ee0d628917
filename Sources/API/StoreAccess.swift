internal import Core
internal import Crypto
internal import HTTPWire
package import Store

/// What the store offers to the API.
package struct StoreAccess: Sendable {
    /// Takes new downloads in.
    package var intake: Intake
    /// Reads and changes downloads.
    package var downloads: Downloads
    /// The sessions.
    package var sessions: Sessions
    /// The policy document.
    package var policies: Policies
    /// The conditions that are pushed.
    package var conditions: Conditions
    /// Wakes requests that wait for a change.
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
