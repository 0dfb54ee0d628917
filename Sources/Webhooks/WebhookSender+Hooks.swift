// Begin hooks: questions to receivers, sent like webhooks.
internal import Base
package import Downloads
internal import Platform
internal import Store
internal import Synchronization

extension WebhookSender {
    /// Takes the answer of a begin hook; without an answer it tells whether there is still time for
    /// one.
    package typealias HookHandler =
        @Sendable (HookQuestion, BeginAnswer?) async -> HookOutcome

    /// Sets the handler for answers of begin hooks.
    package nonisolated func onHookAnswered(_ body: @escaping HookHandler) {
        hookAnswered.withLock { $0 = body }
    }

    /// Whether a question is not sent, because its download no longer waits for the answer.
    nonisolated func isClosed(_ question: HookQuestion, _ delivery: DueDelivery) async -> Bool {
        // A redelivery that a client requested is always sent.
        guard delivery.redeliveredAfter == 0 else { return false }
        let take = hookAnswered.withLock { $0 }
        return await take(question, nil) == .closed
    }

    /// Handles the result of a question's webhook.
    ///
    /// - Parameters:
    ///   - question: what was asked.
    ///   - outcome: how the webhook went.
    ///   - body: the answer's bytes.
    /// - Returns: delivered where the answer holds; else whether it is asked again.
    nonisolated func settle(
        _ question: HookQuestion, _ outcome: DeliveryOutcome, _ body: [UInt8]
    ) async -> DeliveryOutcome {
        let take = hookAnswered.withLock { $0 }
        let (status, retryAfter, silence): (Int?, Duration?, String)
        switch outcome {
        case .postponed: return outcome
        case .delivered(let code):
            guard
                let answer = BeginAnswer(body, isBeforeSending: question.isBeforeSending)
            else {
                (status, retryAfter) = (code, nil)
                silence = "the answer is not a valid answer of a begin hook"
                break
            }
            switch await take(question, answer) {
            case .taken:
                note(question, answer.disposition)
                return outcome
            case .closed: return outcome
            case .failed: return .postponed(error: "the answer could not be stored")
            case .refused(let why):
                (status, retryAfter, silence) = (
                    code, nil, "the new request in the answer is refused: " + why
                )
            }
        case .retry(let code, let wait, let error):
            (status, retryAfter, silence) = (code, wait, error)
        case .giveUp(let code, let error): (status, retryAfter, silence) = (code, nil, error)
        case .gone:
            (status, retryAfter, silence) = (410, nil, "the receiver answered 410 Gone")
        }
        note(question, nil, because: silence)
        let end = DeliveryOutcome.giveUp(status: status, error: silence)
        let fallback: BeginAnswer
        switch question.hook.onNoAnswer {
        case .wait:
            guard await take(question, nil) != .closed else { return end }
            return .retry(status: status, retryAfter: retryAfter, error: silence)
        case .continue: fallback = .continueLoading
        case .cancel: fallback = .cancel
        }
        switch await take(question, fallback) {
        case .taken, .closed: return end
        case .failed, .refused:
            return .postponed(error: "the result without an answer could not be stored")
        }
    }

    private nonisolated func note(
        _ question: HookQuestion, _ disposition: String?, because silence: String? = nil
    ) {
        tally.countHook(disposition ?? "none")
        let subject: (String, LogValue) = (
            "download_id", .string(question.download.text)
        )
        if let disposition {
            log.info("begin hook answered", [subject, ("disposition", .string(disposition))])
            return
        }
        log.warn(
            "begin hook did not answer",
            [
                subject, ("on_no_answer", .string(question.hook.onNoAnswer.rawValue)),
                ("error", .string(silence ?? "")),
            ])
    }
}
