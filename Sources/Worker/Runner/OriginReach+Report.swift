// The conclusion about an origin from the end of an attempt.
internal import Downloads
internal import Scheduling
internal import Store

extension OriginReach {
    /// Judges the end of an attempt; nil if it tells nothing about the origin.
    init?(_ report: AttemptReport, of claimed: ClaimedDownload.Box) {
        switch report {
        case .complete: self = .reached
        case .failed(let failure, _, _) where failure.isUnreachable:
            // A download with a proxy or several addresses probes for itself and tells others
            // nothing.
            guard claimed.claim.download.shared.spec.sharesProbe else { return nil }
            self = claimed.claim.isProbe ? .probeMissed : .missed
        case .failed(let failure, _, _):
            switch failure.failureClass {
            case .network, .server, .pushback: self = .reached
            case .attention where failure.httpStatus != nil: self = .reached
            case .permanent, .attention, .internal:
                guard claimed.claim.isProbe else { return nil }
                self = .probeStopped
            }
        case .outOfRoom, .stopped:
            guard claimed.claim.isProbe else { return nil }
            self = .probeStopped
        }
    }
}
