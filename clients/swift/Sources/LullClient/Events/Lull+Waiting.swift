extension Lull {
    /// Waits until a download has ended, however long that takes.
    ///
    /// - Returns: the download, `succeeded`, `failed` or `canceled`.
    public func ended(_ id: String) async throws(LullError) -> Download {
        while true {
            let download = try await getDownload(id: id, wait: 30)
            if [.succeeded, .failed, .canceled].contains(download.state) { return download }
            if Task.isCancelled { throw .canceled }
        }
    }
}
