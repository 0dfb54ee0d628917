/// The life cycle of a session; the raw value is the number in the store.
package enum SessionState: Int16, Sendable, CaseIterable {
    /// It accepts downloads, and they run.
    case active = 0
    /// It accepts downloads, and none runs.
    case suspended = 1
    /// It accepts no downloads; the existing ones run to their ends.
    case invalidating = 2
    /// It has ended.
    case invalidated = 3

    /// The name on the wire.
    package var name: String { "\(self)" }

    /// Whether it accepts new downloads.
    package var takesDownloads: Bool { self == .active || self == .suspended }
}
