/// How far a session's life is; the raw value is the number in the store.
package enum SessionState: Int16, Sendable, CaseIterable {
    /// It takes downloads, and they run.
    case active = 0
    /// It takes downloads, and none runs.
    case suspended = 1
    /// It takes none; those that it has run out.
    case invalidating = 2
    /// It is over.
    case invalidated = 3

    /// The name on the wire.
    package var name: String { "\(self)" }

    /// Whether it takes new downloads.
    package var takesDownloads: Bool { self == .active || self == .suspended }
}
