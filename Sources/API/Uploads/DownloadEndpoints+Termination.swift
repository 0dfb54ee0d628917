// The termination of an upload by tus.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// Cancels an upload that has not ended, then deletes it.
    ///
    /// One that is being sent ends a moment later, and is not deleted then.
    ///
    /// - Throws: `not-found`, or what the store's failure becomes.
    func endUpload(_ call: Call) async throws(Problem) {
        let id = try call.downloadIdentifier()
        for action in [DownloadAction.cancel, .delete] {
            let outcome = try await call.stored { () throws(StoreError) in
                try await reader.downloads.perform(
                    action, on: id, app: call.app, request: nil, where: { _ in true })
            }
            switch outcome {
            case .done(let record, let order):
                if let order { worker.orderPlaced(id, order) }
                if action == .delete { await content.remove(fileOf: record) }
            case .notFound: throw Problem.noDownload(id)
            case .impossible, .refused, .secretsErased, .urlErased, .sessionClosed, .queueFull,
                .stagingFull:
                break
            }
        }
        worker.sessionsChanged()
        worker.delivered()
    }
}
