// A few worlds at a time: each end-to-end test starts servers of its own, and machines are small.
import Foundation
import Testing

/// The suites that run the real program; each is serial in itself, several run at once.
@Suite(.fewAtOnce)
enum EndToEndTests {}

/// Bounds how many tests run at once; waiting for a turn does not count against a time limit.
struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    /// A turn is for a whole test with all its cases, around its time limit.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> FewAtOnce? {
        test.isSuite || testCase != nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Turns.shared.take()
        do {
            try await function()
        } catch {
            await Turns.shared.leave()
            throw error
        }
        await Turns.shared.leave()
    }
}

extension Trait where Self == FewAtOnce {
    /// Two tests at a time for each processor and one more: most of them wait.
    static var fewAtOnce: FewAtOnce { FewAtOnce() }
}

/// The turns of a process, in the order of requests.
private actor Turns {
    static let shared = Turns()
    private var free = ProcessInfo.processInfo.activeProcessorCount * 2 + 1
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
