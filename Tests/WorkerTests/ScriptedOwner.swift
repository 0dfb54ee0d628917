// An owner of attempts whose answers a test gives.
import Core

@testable import Worker

/// Answers an attempt in the place of a worker.
final class ScriptedOwner: AttemptOwner {
    private let remembered: @Sendable (ResumePoint?) -> Void
    private let room: @Sendable (Int) async -> Int

    /// - Parameters:
    ///   - room: answers how many further streams there is room for.
    ///   - remembered: takes what is written for later attempts.
    init(
        room: @escaping @Sendable (Int) async -> Int = { _ in 0 },
        remembered: @escaping @Sendable (ResumePoint?) -> Void = { _ in }
    ) {
        self.room = room
        self.remembered = remembered
    }

    func remember(_ point: ResumePoint?) async -> Bool {
        remembered(point)
        return true
    }

    func widen(by extra: Int) async -> Int { await room(extra) }

    func markSent() async -> Bool { true }
}
