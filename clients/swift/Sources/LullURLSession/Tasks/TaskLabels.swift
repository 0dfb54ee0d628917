internal import Foundation

/// What a program says about a task beside its request.
struct TaskLabels: Equatable, Sendable {
    var priority = URLSessionTask.defaultPriority
    var description: String?
    var earliestBegin: Date?
    /// -1 for an unknown number.
    var expectsToSend: Int64 = -1
    /// -1 for an unknown number.
    var expectsToReceive: Int64 = -1

    /// Whether it says how many bytes come or go.
    var hasSizes: Bool { expectsToSend >= 0 || expectsToReceive >= 0 }
}
