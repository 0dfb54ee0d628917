// The outcome of an attempt to deliver a webhook.
internal import Base
internal import Downloads
internal import Store
internal import Transfers

/// The outcome of one attempt.
enum DeliveryOutcome: Equatable {
    /// A 2xx.
    case delivered(status: Int)
    /// Try again, not before the time in the receiver's `Retry-After`.
    case retry(status: Int?, retryAfter: Duration?, error: String)
    /// Do not try again: the URL or its address is not allowed.
    case giveUp(status: Int?, error: String)
    /// No request was sent, because of this replica; try again.
    case postponed(error: String)
    /// 410 Gone: the URL is paused, an endpoint disabled.
    case gone

    init(_ result: TransferResult, now: Timestamp) {
        // The status is the answer, even if the body after it is too long, late or cut off.
        guard let head = result.head else {
            self = DeliveryOutcome.unanswered(result.outcome)
            return
        }
        switch head.status {
        case 200...299: self = .delivered(status: head.status)
        case 410: self = .gone
        case 300...399:
            self = .retry(
                status: head.status, retryAfter: nil,
                error: "the receiver answered \(head.status)\(DeliveryOutcome.target(of: head)); "
                    + "redirects are not followed")
        default:
            self = .retry(
                status: head.status,
                retryAfter: head.retryAfter.flatMap { RetryAfter.parse($0, now: now) },
                error: "the receiver answered \(head.status)")
        }
    }

    /// Whether the receiver did not answer; nil if it was not asked.
    var isSilent: Bool? {
        switch self {
        case .delivered, .gone: false
        case .retry(let status, _, _): status == nil
        case .giveUp, .postponed: nil
        }
    }

    /// The target of a redirect as a part of a sentence; without the query, which may have secrets.
    private static func target(of head: ResponseHead) -> String {
        guard let location = head.location, !location.text.isEmpty else { return "" }
        do throws(SourceURLError) {
            let target = try head.url.resolving(location).description.prefix { $0 != "?" }
            return " and points to \(target.prefix(targetAtMost))"
        } catch {
            return " with a Location that cannot be used"
        }
    }

    /// The most characters of a redirect's target that are told.
    private static let targetAtMost = 300

    private static func unanswered(_ outcome: TransferResult.Outcome) -> DeliveryOutcome {
        guard case .failed(let failure) = outcome else {
            return .retry(status: nil, retryAfter: nil, error: "the receiver did not answer")
        }
        let words = failure.words.map { " (\($0))" } ?? ""
        return .retry(
            status: nil, retryAfter: nil,
            error: "\(failure.code.rawValue): \(failure.description)\(words)")
    }
}
