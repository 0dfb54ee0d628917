// What the end of an attempt tells of its origin.
internal import Core
internal import Store

extension OriginReach {
    /// What the end of an attempt tells of its origin; nil for nothing.
    init?(_ report: AttemptReport, of claimed: ClaimedDownload.Box) {
        switch report {
        case .complete: self = .reached
        case .failed(let failure, _, _) where failure.isUnreachable:
            // Who tries by itself says nothing for others: a proxy, or one of several addresses.
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
