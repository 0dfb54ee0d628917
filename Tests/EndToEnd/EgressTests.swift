// The addresses that Lull may not connect to, tried in a network namespace where every address
// would answer.
import Foundation
import Testing

extension EndToEndTests {
    /// Namespaces need root; elsewhere the tests of Base and Transfers judge the same rules.
    @Suite(.serialized) struct EgressTests {
        @Test(
            .enabled("needs root and network namespaces") { try await EgressTests.canUnshare() },
            .timeLimit(.minutes(5)))
        func noConnectionToADeniedAddress() async throws {
            let lab = Repository.path("Tests/Egress/egress_lab.py")
            let result = try await ChildProcess.run(
                "unshare", ["--net", "--mount", "python3", lab, try Repository.lull()])
            #expect(result.status == 0, "\(result.output)")
        }

        private static func canUnshare() async throws -> Bool {
            guard getuid() == 0 else { return false }
            return try await ChildProcess.run("unshare", ["--net", "--mount", "true"]).status == 0
        }
    }
}
