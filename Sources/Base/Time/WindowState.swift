/// Whether windows are open, and when that changes.
package enum WindowState: Hashable, Sendable {
    /// Open until an instant; nil if there is no end.
    case open(until: Timestamp?)
    /// Closed since an instant until the next opening; nil if neither lies within 30 days.
    case closed(since: Timestamp?, until: Timestamp?)

    /// Whether the windows are open.
    package var isOpen: Bool {
        guard case .open = self else { return false }
        return true
    }
}
