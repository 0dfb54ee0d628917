// Rules that hold for every failure code.
import Downloads
import Testing

@Suite struct FailureCodeTests {
    @Test(arguments: FailureCode.allCases)
    func everyCodeIsSnakeCaseAndHasASentence(_ code: FailureCode) {
        #expect(code.rawValue.allSatisfy { $0 == "_" || ("a"..."z").contains($0) })
        #expect(code.sentence.hasSuffix(".") && code.sentence.count < 100)
        let failure = DownloadFailure(code, detail: code.sentence)
        #expect(failure.failureClass == code.usual.failureClass)
        #expect(failure.isRetryable == code.usual.isRetryable)
        #expect(DownloadFailure(stored: failure.tree) == failure)
    }

    /// A failure that the client can repair is retryable, as the client then resumes; a permanent
    /// one never is.
    @Test(arguments: FailureCode.allCases)
    func classAndRetryAgree(_ code: FailureCode) {
        switch code.usual.failureClass {
        case .network, .attention, .pushback: #expect(code.usual.isRetryable)
        case .permanent: #expect(!code.usual.isRetryable)
        case .server, .internal: break
        }
    }

    @Test(arguments: FailureCode.allCases)
    func anotherMirrorIsAskedUnlessAllFailAlike(_ code: FailureCode) {
        let failure = DownloadFailure(.server, code: code, detail: "", isRetryable: true)
        #expect(MirrorBook.mayHelp(failure) == !code.isAlikeAtMirrors)
        var ours = failure
        ours.failureClass = .internal
        #expect(!MirrorBook.mayHelp(ours))
    }
}
