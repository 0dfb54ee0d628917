// The numbers of gates.kind.

/// The kind of thing that a gate limits; the raw value is the number in the store.
enum GateKind: Int16, CaseIterable {
    /// Downloads from one origin.
    case origin = 1
    /// Downloads of one session.
    case session = 2
    /// Downloads of one app.
    case app = 3
    /// All downloads: key 0 is the lock that claims take, key N the runs of replica N.
    case deployment = 4
}
