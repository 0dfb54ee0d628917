// Keys from the file and from the environment, and their renewal.
internal import Base
internal import Downloads
internal import Foundation
internal import Support
internal import Testing
internal import Transfers

@testable internal import ObjectStores

@Suite struct CredentialTests {
    private static let file = """
        # keys
        [default]
        aws_access_key_id = A
        aws_secret_access_key=s/+=

        ; others
          [profile cold]\r
        AWS_Access_Key_Id=B\r
        aws_secret_access_key =  t \r
        aws_session_token = u=
        [empty]
        aws_access_key_id =
        [ half ]
        aws_access_key_id = C
        [cold2]
        [default]
        aws_session_token = late
        """

    @Test(arguments: [
        ("default", SigningCredentials(accessKey: "A", secretKey: "s/+=", sessionToken: "late")),
        ("cold", SigningCredentials(accessKey: "B", secretKey: "t", sessionToken: "u=")),
    ])
    func aProfileIsRead(_ profile: String, _ expected: SigningCredentials) throws {
        let found = try CredentialsFile.credentials(Self.file, profile: profile)
        #expect(found == expected)
    }

    @Test(arguments: [
        ("none", "has no profile \"none\""), ("empty", "has no aws_access_key_id"),
        ("half", "has no aws_secret_access_key"), ("cold2", "has no aws_access_key_id"),
    ])
    func aMissingPartIsNamed(_ profile: String, _ words: String) throws {
        #expect {
            _ = try CredentialsFile.credentials(Self.file, profile: profile)
        } throws: { error in
            (error as? StoreFailure)?.kind == .refused
                && (error as? StoreFailure)?.detail.contains(words) == true
        }
    }

    @Test func keysOfTheEnvironmentNeedBothParts() async throws {
        try await StoreLab.with(.strict([]), environment: ["AWS_ACCESS_KEY_ID": "access"]) { lab in
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("a", [1])
            }
            #expect(failure.kind == .refused)
            #expect(failure.detail.contains("AWS_SECRET_ACCESS_KEY"))
            #expect(throws: StoreFailure.self) {
                try lab.store.presigned("a", disposition: "inline", type: "a/b")
            }
        }
    }

    @Test func aSessionTokenIsSent() async throws {
        try await StoreLab.with(
            .strict(["--session-token", "t/+="]),
            environment: [
                "AWS_ACCESS_KEY_ID": "access", "AWS_SECRET_ACCESS_KEY": "secret",
                "AWS_SESSION_TOKEN": "t/+=",
            ]
        ) { lab in
            _ = try await lab.put("a", [1])
            let url = try lab.store.presigned(
                lab.store.location.key(for: "a"), disposition: "inline", type: "a/b")
            #expect(try await lab.get(url).buffer == [1])
        }
    }

    private static func keys(_ secret: String) -> String {
        "[default]\naws_access_key_id=access\naws_secret_access_key=\(secret)\n"
    }

    @Test func refusedKeysAreReadAnewOnce() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("lull-keys-\(UUID().uuidString)")
        defer { _ = unsafe remove(file.path) }
        try Self.keys("secret").write(to: file, atomically: true, encoding: .utf8)
        try await StoreLab.with(.strict([]), { $0.credentialsFile = file.path }) { lab in
            _ = try await lab.put("a", [1])
            try await lab.tell("/_keys", #"{"access": "access", "secret": "renewed"}"#)
            // The keys are those of before, so that the store is not asked again.
            let refused = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("b", [2])
            }
            #expect(refused.kind == .refused && refused.code == "SignatureDoesNotMatch")
            #expect(try await lab.operations().count == 2)
            try Self.keys("renewed").write(to: file, atomically: true, encoding: .utf8)
            _ = try await lab.put("b", [2])
            #expect(try await lab.read("b") == [2])
            // The answer to a HEAD has no code.
            try await lab.tell("/_keys", #"{"access": "access", "secret": "third"}"#)
            try Self.keys("third").write(to: file, atomically: true, encoding: .utf8)
            #expect(try await lab.store.head(lab.store.location.key(for: "b"), lab.call) != nil)
            try await lab.tell("/_keys", #"{"access": "access", "secret": "fourth"}"#)
            try Self.keys("fourth").write(to: file, atomically: true, encoding: .utf8)
            #expect(try await lab.read("b") == [2])
        }
    }

    @Test func forgottenKeysAreReadWithTheNextRequest() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("lull-keys-\(UUID().uuidString)")
        defer { _ = unsafe remove(file.path) }
        try Self.keys("wrong").write(to: file, atomically: true, encoding: .utf8)
        try await StoreLab.with(.strict([]), { $0.credentialsFile = file.path }) { lab in
            let wrong = try lab.store.presigned("a", disposition: "inline", type: "a/b")
            try Self.keys("secret").write(to: file, atomically: true, encoding: .utf8)
            #expect(try await lab.get(wrong).head?.status == 403)
            lab.store.forgetCredentials()
            _ = try await lab.put("a", [1])
            #expect(try await lab.operations().last == "PutObject")
            #expect(try await lab.operations().filter { $0 == "PutObject" }.count == 1)
        }
    }

    @Test func aFileThatIsNotThereIsAFailureWithoutItsPath() async throws {
        try await StoreLab.with(.strict([]), { $0.credentialsFile = "/nonexistent/keys" }) { lab in
            let failure = try await lab.failure { () async throws(StoreFailure) in
                _ = try await lab.put("a", [1])
            }
            #expect(failure.kind == .refused)
            #expect(!failure.detail.contains("/"))
        }
    }

    @Test func noTextOfAFailureHasASecret() async throws {
        let keys = SigningCredentials(accessKey: "A", secretKey: "s3cret", sessionToken: "t0ken")
        try await StoreLab.with(.strict([])) { lab in
            let failure = StoreFailure(.refused, "s3cret and t0ken")
            #expect(lab.store.masked(failure, keys).detail == "(secret) and (secret)")
        }
    }
}
