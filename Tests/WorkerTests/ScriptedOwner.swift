// An owner of attempts whose answers a test gives.
import Base
import Downloads

@testable import Worker

/// Answers an attempt in the place of a worker.
final class ScriptedOwner: AttemptOwner {
    private let remembered: @Sendable (ResumePoint?) -> Void
    private let room: @Sendable (Int) async -> Int
    private let source: @Sendable () -> Bool

    /// - Parameters:
    ///   - room: returns the number of further streams there is room for.
    ///   - source: returns whether another download still has the copied bytes.
    ///   - remembered: receives the resume points that are written for later attempts.
    init(
        room: @escaping @Sendable (Int) async -> Int = { _ in 0 },
        source: @escaping @Sendable () -> Bool = { true },
        remembered: @escaping @Sendable (ResumePoint?) -> Void = { _ in }
    ) {
        self.room = room
        self.source = source
        self.remembered = remembered
    }

    func saveResumePoint(_ point: ResumePoint?) async -> Bool {
        remembered(point)
        return true
    }

    func insistOnResumePoint(_ point: ResumePoint) async -> Bool {
        await saveResumePoint(point)
    }

    func widen(by extra: Int) async -> Int { await room(extra) }

    func reached() {}

    func markSent() async -> Bool { true }

    func isShareable(_ id: Identifier) async -> Bool { true }

    func holds(_ point: ResumePoint, _ source: Identifier) async -> Bool { self.source() }
}
