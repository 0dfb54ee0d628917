// The numbers of contents.phase.

/// The phase of a kept file; the raw value is the number in the store.
enum ContentPhase: Int16, CaseIterable {
    /// It is kept.
    case held = 0
    /// It is kept, and its client was warned that it will expire.
    case warned = 1
    /// The replica that has it will remove it.
    case released = 2
    /// It was not found, or its replica is gone; found again with its digest it is kept again.
    case lost = 3
}
