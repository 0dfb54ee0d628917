// The conclusion about an origin from the end of an attempt.
internal import Base
internal import Downloads
internal import Scheduling
internal import Store

extension OriginReach {
    /// Judges the end of an attempt; nil if it tells nothing about the origin.
    init?(_ report: AttemptReport, of claimed: Shared<ClaimedDownload>) {
        switch report {
        case .complete, .unchanged: self = .reached
        case .failed(let failure, _, _) where failure.isUnreachable:
            // A download with a proxy or several addresses probes for itself and tells others
            // nothing.
            guard claimed.value.download.shared.value.sharesProbe else { return nil }
            self = claimed.value.isProbe ? .probeMissed : .missed
        case .failed(let failure, _, _):
            switch failure.failureClass {
            case .network, .server, .pushback: self = .reached
            case .attention where failure.httpStatus != nil: self = .reached
            case .permanent, .attention, .internal:
                guard claimed.value.isProbe else { return nil }
                self = .probeStopped
            }
        case .outOfRoom, .stopped:
            guard claimed.value.isProbe else { return nil }
            self = .probeStopped
        }
    }
}
