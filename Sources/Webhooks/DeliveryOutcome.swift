// What a receiver's answer means.
internal import Core
internal import Store
internal import Transfers

/// One try's end, read by the rules of delivery.
enum DeliveryOutcome: Equatable {
    /// A 2xx came.
    case delivered(status: Int)
    /// Try again, not before what the receiver asked for.
    case retry(status: Int?, retryAfter: Duration?, error: String)
    /// Never again: the receiver is gone, or can never be reached as asked.
    case giveUp(status: Int?, error: String)

    init(_ result: TransferResult, now: Timestamp) {
        guard let head = result.head, case .completed = result.outcome else {
            self = DeliveryOutcome.failed(result)
            return
        }
        switch head.status {
        case 200...299: self = .delivered(status: head.status)
        case 410: self = .giveUp(status: 410, error: "the receiver answered 410 Gone")
        case 300...399:
            self = .retry(
                status: head.status, retryAfter: nil,
                error: "the receiver answered \(head.status); redirects are not followed")
        default:
            self = .retry(
                status: head.status,
                retryAfter: head.retryAfter.flatMap { RetryAfter.parse($0, now: now) },
                error: "the receiver answered \(head.status)")
        }
    }

    private static func failed(_ result: TransferResult) -> DeliveryOutcome {
        guard case .failed(let failure) = result.outcome else {
            return .retry(status: nil, retryAfter: nil, error: "the receiver did not answer")
        }
        // A receiver that answered 2xx and then ended its body badly has the event.
        if let status = result.head?.status, (200...299).contains(status) {
            return .delivered(status: status)
        }
        return .retry(
            status: result.head?.status, retryAfter: nil,
            error: "\(failure.code.rawValue): \(failure.description)")
    }
}
