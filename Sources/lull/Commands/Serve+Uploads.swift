// The API's part of uploads: the files of this data directory, and the way to those of others.
internal import API
internal import Store
internal import Worker

extension Serve {
    /// Connects the dependencies of the API with the files of uploads.
    ///
    /// - Returns: a function that completes dependencies; all of them share the files.
    func connectingUploads(
        _ resources: ProcessResources, _ peers: PeerClient, _ worker: DownloadWorker,
        _ news: ReplicaNotifier
    ) -> @Sendable (inout Dependencies) -> Void {
        let staging = StagingFolder(resources.content, minimumFree: configuration.minimumFree)
        var access = staging.access(lengthAtMost: configuration.uploadMaximum)
        access.pass = { await peers.pass($0) }
        access.sourcesChanged = {
            worker.sourcesChanged()
            news.announce(.orders)
        }
        return { [access] dependencies in
            dependencies.uploads = access
            let metrics = dependencies.metrics
            dependencies.metrics = { metrics() + [staging.metric] }
        }
    }
}
