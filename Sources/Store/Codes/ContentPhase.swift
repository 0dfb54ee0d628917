// The numbers of contents.phase; functions/codes.sql names the same.

/// Where a kept file stands; the raw value is the number in the store.
enum ContentPhase: Int16, CaseIterable {
    /// It is kept.
    case held = 0
    /// It is kept, and its client knows that its end is near.
    case warned = 1
    /// The replica that has it removes it.
    case released = 2
    /// It was not found, or its replica is gone; found again with its digest it is kept again.
    case lost = 3
}
