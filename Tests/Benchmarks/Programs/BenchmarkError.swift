// Why a benchmark cannot go on, in one sentence for whoever started it.

/// Ends the run; figures of a run that went wrong are not shown.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
