internal import Foundation
internal import LullClient

extension SessionEngine {
    func showProgress(_ task: URLSessionTask, _ report: Report) async {
        if task.driver.tellsUnreached(report) {
            await tellTask { delegate, session in
                delegate.urlSession(session, taskIsWaitingForConnectivity: task)
            }
        }
        let isUpload = task.driver.kind == .upload
        let done = isUpload ? report.sent : report.received
        let total = isUpload ? report.length : report.expected
        let before = max(task.progress.completedUnitCount, 0)
        task.progress.totalUnitCount = Int64(total ?? -1)
        task.progress.completedUnitCount = Int64(done)
        guard Int64(done) > before else { return }
        let (new, expected) = (Int64(done) - before, Int64(total ?? -1))
        if let download = task as? URLSessionDownloadTask {
            await tellDownload(download) { delegate, session in
                delegate.urlSession(
                    session, downloadTask: download, didWriteData: new,
                    totalBytesWritten: Int64(done), totalBytesExpectedToWrite: expected)
            }
        } else if isUpload {
            await tellTask { delegate, session in
                delegate.urlSession(
                    session, task: task, didSendBodyData: new, totalBytesSent: Int64(done),
                    totalBytesExpectedToSend: expected)
            }
        }
    }

    func bring(_ task: URLSessionTask, _ report: Report) async throws(LullError) {
        guard let upload = task as? URLSessionUploadTask else { return }
        try await lull.bring(upload.file, toUpload: report.id)
        task.driver.update(Report(try await lull.getUpload(id: report.id)))
    }

    /// Tells how a transfer ended, and removes it from the service after the calls have returned: a
    /// program that is killed before that is told again.
    func finish(_ task: URLSessionTask, _ report: Report) async throws(LullError) {
        if report.state == .succeeded { await showProgress(task, report) }
        if report.state == .succeeded, task.driver.kind != .upload {
            try await finishContent(task, report)
        } else {
            await end(task, id: report.id, report.urlError)
        }
    }

    private func finishContent(_ task: URLSessionTask, _ report: Report) async throws(LullError) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lull-urlsession")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw .file("\(folder.path): \(error.localizedDescription)")
        }
        let file = folder.appending(path: report.id + ".tmp")
        try await lull.content(ofDownload: report.id, to: file)
        if let data = task as? URLSessionDataTask {
            let bytes: Data
            do {
                bytes = try Data(contentsOf: file)
            } catch {
                throw .file("\(file.path): \(error.localizedDescription)")
            }
            remove(file)
            await end(data, id: report.id, nil, bytes: bytes)
        } else if let download = task as? URLSessionDownloadTask {
            await end(download, id: report.id, nil, file: file)
            remove(file)
        }
    }

    private func remove(_ file: URL) {
        // The program may have moved it, which is what the file is for.
        try? FileManager.default.removeItem(at: file)
    }

    /// Ends a task: calls its handler or the delegate, and then forgets the transfer.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - id: its transfer, which is removed; nil for none.
    ///   - failure: why it ended; nil for success.
    ///   - kept: its transfer, which stays.
    ///   - bytes: its content, of a data task.
    ///   - file: its content, of a download task.
    ///   - first: is called before all other calls.
    func end(
        _ task: URLSessionTask, id: String?, _ failure: URLError?, keeping kept: String? = nil,
        bytes: Data? = nil, file: URL? = nil, first: (@Sendable () -> Void)? = nil
    ) async {
        guard task.driver.end(failure) else { return }
        if let first { await deliver(first) }
        let answer = task.response
        if let data = task as? URLSessionDataTask, let handler = data.handler {
            await deliver { handler(bytes, answer, failure) }
        } else if let upload = task as? URLSessionUploadTask, let handler = upload.handler {
            let body = task.driver.report?.answer?.body
            await deliver { handler(failure == nil ? body ?? Data() : nil, answer, failure) }
        } else if let download = task as? URLSessionDownloadTask, let handler = download.handler {
            await deliver { handler(file, answer, failure) }
        } else {
            if let download = task as? URLSessionDownloadTask, let file {
                await tellDownload(download) { delegate, session in
                    delegate.urlSession(
                        session, downloadTask: download, didFinishDownloadingTo: file)
                }
            }
            await tellTask { delegate, session in
                delegate.urlSession(session, task: task, didCompleteWithError: failure)
            }
        }
        if let id {
            let isUpload = task.driver.kind == .upload
            await forgetTransfer(id, isUpload: isUpload, isOver: task.driver.report?.isOver == true)
        }
        await forget(task, id: id ?? kept)
    }

    /// Removes a transfer that an earlier program left behind.
    func forgetTransfer(_ left: Report) async {
        await forgetTransfer(left.id, isUpload: left.kind == .upload, isOver: left.isOver)
    }

    /// Removes a transfer from the service; one that is not over is canceled before.
    private func forgetTransfer(_ id: String, isUpload: Bool, isOver: Bool) async {
        var isCanceled = isOver
        while !Task.isCancelled {
            do {
                if !isCanceled {
                    if isUpload {
                        try await lull.cancelUpload(id: id)
                    } else {
                        try await lull.cancelDownload(id: id)
                    }
                }
                if isUpload {
                    try await lull.deleteUpload(id: id)
                } else {
                    try await lull.deleteDownload(id: id)
                }
                return
            } catch {
                let isCanceling = error.problem?.code == .invalidStateTransition
                guard isCanceling || SessionEngine.passes(error) else { return }
                isCanceled = isCanceled || isCanceling
                await rest()
            }
        }
    }

    func tellTask(
        _ call: @escaping @Sendable (any URLSessionTaskDelegate, URLSession) -> Void
    ) async {
        guard let session, let held else { return }
        await deliver {
            if let delegate = held.delegate as? any URLSessionTaskDelegate {
                call(delegate, session)
            }
        }
    }

    func tellDownload(
        _ task: URLSessionDownloadTask,
        _ call: @escaping @Sendable (any URLSessionDownloadDelegate, URLSession) -> Void
    ) async {
        guard task.handler == nil, let session, let held else { return }
        await deliver {
            if let delegate = held.delegate as? any URLSessionDownloadDelegate {
                call(delegate, session)
            }
        }
    }
}
