// What attempts tell of origins and of the network, and what follows for those that wait.
internal import Core
internal import Platform
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

extension DownloadWorker {
    /// An answer of an origin begins, for which others wait.
    func reached(_ origin: Int64, _ ledger: Ledger) async {
        handle(.told(.reached, origin: origin))
        do throws(StoreError) {
            if let since = try await ledger.reached(origin) {
                tally.countProbe("reached")
                log.info(
                    "origin reached again",
                    [("origin_no", .integer(origin)), ("since", .string(since.rfc3339))])
            }
        } catch {
            // The record of the attempt's end says the same.
            log.warn("origin not opened", [("error", .string(error.description))])
        }
        handle(.hinted)
    }

    /// Learns what an attempt found when it has ended.
    func learn(_ reach: OriginReach?, of report: AttemptReport, _ claim: ClaimedDownload) {
        if case .failed(let failure, _, _) = report, failure.isUnreachable {
            if claim.isProbe { tally.countProbe("missed") }
            log.warn(
                "origin not reached",
                [
                    ("download_id", .string(claim.download.id.text(.download))),
                    ("origin_no", .integer(claim.originKey)),
                    ("error", .string(failure.code.rawValue)),
                ])
            // Asked where that may decide.
            handle(
                .told(.missed(hasRoute: NetworkRoutes.exist()), origin: claim.originKey))
            return
        }
        guard claim.announcesReach || conductor.network.isDoubtful else { return }
        if reach == .reached {
            handle(.told(.reached, origin: claim.originKey))
        } else if claim.announcesReach {
            handle(.told(.probeStopped, origin: claim.originKey))
        }
    }

    /// The network is not reached, or again, or it is tried again at another instant.
    func noteNetwork() {
        let (old, new) = (facts.network, conductor.network.outage)
        facts.take(network: new, at: clock.now)
        switch (old, new) {
        case (nil, let outage?):
            log.warn("network not reached", [("next_attempt_at", .string(outage.probeAt.rfc3339))])
        case (let outage?, nil):
            log.info("network reached again", [("since", .string(outage.since.rfc3339))])
        default: break
        }
    }
}
