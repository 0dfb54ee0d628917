// Takes a policy that another replica stored.
internal import Store

/// Reads the policy when a heartbeat's answer has another version.
struct PolicyWatch: Duty {
    let name = "policy"

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        if let (policy, zone) = await worker.policyOfVersion(worker.policyVersion) {
            worker.takePolicy(policy, zone)
        }
        return .untilCalled
    }
}
