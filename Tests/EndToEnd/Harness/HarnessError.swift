// A failure of the harness itself: a fault of the set-up, not an expectation that failed.

/// The harness could not start, reach or read a thing that a test needs.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
