// What the end of an attempt tells of its origin.
internal import Core
internal import Store

extension OriginReach {
    /// What the end of an attempt tells of its origin; nil for nothing.
    init?(_ report: AttemptReport, of claim: ClaimedDownload) {
        switch report {
        case .complete: self = .reached
        case .failed(let failure, _, _) where failure.isUnreachable:
            // Who tries by itself says nothing for others: a proxy, or one of several addresses.
            guard claim.download.spec.sharesProbe else { return nil }
            self = claim.isProbe ? .probeMissed : .missed
        case .failed(let failure, _, _):
            switch failure.failureClass {
            case .network, .server, .pushback: self = .reached
            case .attention where failure.httpStatus != nil: self = .reached
            case .permanent, .attention, .internal:
                guard claim.isProbe else { return nil }
                self = .probeStopped
            }
        case .outOfRoom, .stopped:
            guard claim.isProbe else { return nil }
            self = .probeStopped
        }
    }
}
