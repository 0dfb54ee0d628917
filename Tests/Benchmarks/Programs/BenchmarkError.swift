// The reason why a benchmark cannot continue, in one sentence for the person who started it.

/// Ends the run; figures of a run that went wrong are not shown.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
