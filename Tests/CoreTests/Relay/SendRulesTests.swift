// The meaning of every status that a receiver can answer with.
import Base
import Downloads
import Testing

@Suite struct SendRulesTests {
    /// Statuses after which the same request may be taken later.
    private static let passing = Set([408, 425, 429]).union(500...599)

    @Test(arguments: [true, false], [true, false])
    func everyStatusOfAReceiverHasOneMeaning(isWhole: Bool, isRepeatable: Bool) throws {
        for status in 200...999 {
            let failure = SendRules.failure(
                status: status, isWhole: isWhole, isRepeatable: isRepeatable)
            let isTwoHundred = (200...299).contains(status)
            guard !(isTwoHundred && isWhole) else {
                #expect(failure == nil, "\(status)")
                continue
            }
            let found = try #require(failure, "\(status)")
            #expect(found.httpStatus == status)
            guard isTwoHundred || Self.passing.contains(status) else {
                #expect(found.code == .destinationRefused && found.failureClass == .attention)
                continue
            }
            // Some statuses say that nothing was done.
            let isKnown = RepeatRules.refusingStatuses.contains(status)
            if isRepeatable || isKnown {
                #expect(found.failureClass != .attention && found.isRetryable, "\(status)")
            } else {
                #expect(found.code == .destinationOutcomeUnknown, "\(status)")
                #expect(found.failureClass == .attention)
            }
        }
    }

    @Test(arguments: [true, false], [true, false])
    func aTryWithoutAnAnswerIsUnknownOnlyIfItMayHaveHadAnEffect(
        isRepeatable: Bool, wasSent: Bool
    ) {
        for code in [FailureCode.networkConnectionLost, .timedOut, .cannotConnectToHost] {
            let failure = DownloadFailure(code, detail: "x")
            let judged = SendRules.judged(failure, isRepeatable: isRepeatable, wasSent: wasSent)
            let isUnknown = wasSent && !isRepeatable
            #expect((judged.code == .destinationOutcomeUnknown) == isUnknown)
            #expect(isUnknown || judged == failure)
        }
    }

    @Test func aReceivedFileSurvivesItsStore() throws {
        var file = ReceivedFile()
        var response = OriginResponse(statusCode: 200, url: "https://a.example/x")
        response.headers.contentType = "text/plain; charset=utf-8"
        file.response = response
        file.currentURL = "https://b.example/y"
        var answer = SentAnswer(status: 201)
        answer.headers["etag"] = "\"v\""
        answer.body = AttemptDetail.Excerpt(encoding: "utf-8", text: "taken", isCut: false)
        file.answer = answer
        for progress in ReceivedFile.Progress.allCases {
            file.progress = progress
            var point = ResumePoint(mismatches: 0, fence: 7, instance: "a1")
            (point.offset, point.whole, point.sha256) = (5, true, "00ff")
            point.received = file
            let read = try #require(ResumePoint(stored: point.json))
            #expect(read == point && read.holder == "a1")
            point.void = "other bytes"
            #expect(ResumePoint(stored: point.json)?.holder == nil)
        }
    }
}
