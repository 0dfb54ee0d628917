// The consequence of a store's failure for a download.
import Downloads
import ObjectStores
import Testing

@testable import Worker

@Suite struct StoreRulesTests {
    private static func failure(
        _ kind: StoreFailure.Kind, _ status: Int?, _ code: String? = nil
    ) -> StoreFailure {
        var failure = StoreFailure(kind, "its words")
        (failure.status, failure.code) = (status, code)
        return failure
    }

    @Test func aStoreThatAsksForAPauseIsAPushback() {
        var failure = Self.failure(.again, 503, "SlowDown")
        failure.wait = .seconds(7)
        let (judged, told) = StoreRules.failure(failure, of: "cold")
        #expect(judged.failureClass == .pushback && judged.isRetryable)
        #expect(judged.detail.contains("503 SlowDown") && told?.time == .seconds(7))
    }

    @Test func aRefusalIsForTheOperatorAndTheClient() {
        let (judged, told) = StoreRules.failure(
            Self.failure(.refused, 403, "AccessDenied"), of: "cold")
        #expect(judged.failureClass == .attention && judged.code == .destinationUnavailable)
        #expect(judged.detail.contains("403 AccessDenied") && told == nil)
        #expect(judged.httpStatus == 403)
    }

    @Test func aStoreThatIsNotReachedCostsNoAttempt() {
        var failure = Self.failure(.again, nil)
        failure.isUnreachable = true
        failure.obstacle = .cannotFindHost
        let judged = StoreRules.failure(failure, of: "cold").failure
        #expect(judged.isUnreachable && judged.failureClass == .network)
        #expect(judged.code == .cannotFindHost)
    }

    @Test(arguments: [StoreFailure.Kind.again, .unknown, .noUpload])
    func whatMayPassIsTriedAgain(_ kind: StoreFailure.Kind) {
        let judged = StoreRules.failure(Self.failure(kind, 500, "InternalError"), of: "cold")
        #expect(judged.failure.isRetryable && judged.failure.failureClass == .network)
    }
}
