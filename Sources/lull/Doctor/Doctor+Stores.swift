// The checks of object stores.
internal import Base
internal import Crypto
internal import ObjectStores
internal import Platform
internal import Store
internal import Worker

extension Doctor {
    /// A finding for each right that a store does not give, and for each store that gives all.
    func stores() async -> [HealthFinding] {
        let stores: OpenStores
        do {
            stores = try configuration.openStores(environment: environment) {
                Timestamp(microseconds: SystemClock.wallMicroseconds())
            }.open
        } catch {
            return [HealthFinding(.fault, "stores", "\(error)")]
        }
        var findings: [HealthFinding] = []
        for store in stores.all {
            let mark = Hex.encode(SecureRandom.bytes(8))
            findings += Doctor.findings(of: store, await StoreCheck.run(store, mark: mark))
        }
        return findings
    }

    private static func findings(
        of store: ObjectStore, _ result: StoreCheck.Result
    ) -> [HealthFinding] {
        let subject = "store " + store.name + (store.app.map { "@" + $0 } ?? "")
        guard result.faults.isEmpty else {
            return result.faults.map { fault in
                var detail = fault.detail
                if detail.hasSuffix(".") { detail.removeLast() }
                return HealthFinding(.fault, subject, "\(detail); \(remedy(fault))")
            }
        }
        guard result.honoursConditions ?? true else {
            return [
                HealthFinding(
                    .warning, subject,
                    "it ignores If-None-Match, so only downloads with \"on_conflict\": \"replace\" "
                        + "can use it; update the store")
            ]
        }
        return [HealthFinding(.good, subject, "all rights are there, and conditions are honoured")]
    }

    private static func remedy(_ fault: StoreCheck.Fault) -> String {
        if fault.isUnreachable {
            return "see that the store runs, and that its endpoint in LULL_DESTINATIONS is right"
        }
        if fault.lacksRight { return "the credentials need \(fault.right)" }
        if fault.knowsNoChecksums {
            return "give the store checksum=none in LULL_DESTINATIONS"
        }
        return "\(fault.right) could not be tried"
    }
}
