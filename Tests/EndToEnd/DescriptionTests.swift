// openapi.yaml is read by a validator that Lull's authors did not write.
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct DescriptionTests {
        @Test(.timeLimit(.minutes(2)))
        func openAPIIsValid() async throws {
            let validator = Repository.path(".venv/bin/openapi-spec-validator")
            let result = try await ChildProcess.run(validator, [Repository.path("openapi.yaml")])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test(.timeLimit(.minutes(2)))
        func everySuccessHasAValidExample() async throws {
            let result = try await ChildProcess.run(
                try Repository.python(),
                [Repository.path("Tests/Receiver/examples.py"), Repository.path("openapi.yaml")])
            #expect(result.status == 0, "\(result.output)")
        }

        @Test(.timeLimit(.minutes(2)))
        func openapiCommandPrintsTheFile() async throws {
            let printed = try await ChildProcess.run(try Repository.lull(), ["openapi"])
            let held = try await ChildProcess.run("cat", [Repository.path("openapi.yaml")])
            #expect(printed.status == 0)
            #expect(printed.output == held.output)
        }
    }
}
