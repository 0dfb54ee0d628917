internal import Foundation
internal import LullClient

extension SessionEngine {
    /// Brings a task to its end.
    func drive(_ task: URLSessionTask) async {
        while !Task.isCancelled {
            do throws(LullError) {
                switch task.driver.step() {
                case .wait: await task.driver.changed()
                case .create: try await create(task)
                case .endUnmade:
                    for handler in task.driver.takeHandlers() { await deliver { handler(nil) } }
                    await end(task, id: nil, URLError(.cancelled))
                case .tell(let wanted, let id): try await tell(task, wanted, id)
                case .showProgress(let report): await showProgress(task, report)
                case .bring(let report): try await bring(task, report)
                case .finish(let report): try await finish(task, report)
                case .over: return
                }
            } catch {
                await handle(error, of: task)
            }
        }
    }

    /// Waits where the service is not reached; else looks at the transfer, or ends the task.
    private func handle(_ failure: LullError, of task: URLSessionTask) async {
        if SessionEngine.passes(failure) { return await rest() }
        let id = task.driver.report?.id
        switch failure {
        case .canceled: return
        case .problem(let problem, _) where problem.status == 409 && id != nil:
            // It has another state than the last report says.
            await rest()
            if let id, let report = await report(task, id) { task.driver.update(report) }
        case .problem(let problem, _) where problem.status == 404 && id != nil:
            await end(task, id: id, URLError(.cancelled))
        case .problem(let problem, _):
            await end(task, id: id, SessionEngine.refused(problem))
        case .unwritable(let detail):
            await end(
                task, id: id, URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: detail]))
        case .file(let detail):
            await end(
                task, id: id,
                URLError(.cannotWriteToFile, userInfo: [NSLocalizedDescriptionKey: detail]))
        default:
            await end(
                task, id: id,
                URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: "\(failure)"]))
        }
    }

    private func report(_ task: URLSessionTask, _ id: String) async -> Report? {
        do {
            return task.driver.kind == .upload
                ? Report(try await lull.getUpload(id: id))
                : Report(try await lull.getDownload(id: id))
        } catch {
            return nil
        }
    }

    private func create(_ task: URLSessionTask) async throws(LullError) {
        await made()
        if let refusal = task.originalRequest?.refusal(ofUpload: task.driver.kind == .upload) {
            throw .unwritable(refusal)
        }
        if isRefused {
            // The reason becomes that of the task.
            try await lull.putSession(identifier: identifier, document)
            noteAcceptance()
        }
        let report: Report
        if let upload = task as? URLSessionUploadTask {
            report = Report(try await lull.createUpload(try newUpload(upload)))
        } else if let download = task as? URLSessionDownloadTask, download.isContinued {
            report = try await continued(download)
        } else {
            report = Report(try await lull.createDownload(try newDownload(task)))
        }
        name(task, id: report.id)
        task.driver.told(.running, report)
    }

    /// Goes on with the download that resume data name.
    private func continued(_ task: URLSessionDownloadTask) async throws(LullError) -> Report {
        guard let token = task.token else { throw .unreadable("these are no resume data of Lull") }
        let report: Report
        if token.session == identifier {
            let said = task.said
            guard !said.hasSizes else {
                throw .unwritable(
                    "a task of resume data has the counts of bytes of its first task: set none")
            }
            let metadata: [String: String?] = [
                MetadataKey.paused: nil, MetadataKey.identifier: String(task.taskIdentifier),
            ]
            try await lull.changeDownload(
                id: token.id,
                DownloadPatch(
                    priority: .set(Double(said.priority)),
                    earliestBeginDate: said.earliestBegin.map { .set($0) } ?? .remove,
                    taskDescription: said.description.map { .set($0) } ?? .remove,
                    metadata: .set(metadata)))
            report = Report(try await lull.resumeDownload(id: token.id))
        } else {
            // Another download, which begins with a copy of the bytes.
            let data = try await lull.getResumeData(id: token.id).resumeData
            var new = NewDownload(resumeData: data)
            describe(task, &new)
            report = Report(try await lull.createDownload(new))
        }
        let (offset, total) = (Int64(report.received), Int64(report.expected ?? -1))
        await tellDownload(task) { delegate, session in
            delegate.urlSession(
                session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total)
        }
        return report
    }

    private func describe(_ task: URLSessionTask, _ new: inout NewDownload) {
        new.session = identifier
        new.externalID = task.driver.name
        let said = task.said
        new.earliestBeginDate = said.earliestBegin
        new.priority = Double(said.priority)
        new.taskDescription = said.description
        new.metadata = metadata(task)
        if said.expectsToReceive >= 0 {
            new.countOfBytesClientExpectsToReceive = Int(said.expectsToReceive)
        }
        if said.expectsToSend >= 0 { new.countOfBytesClientExpectsToSend = Int(said.expectsToSend) }
    }

    private func metadata(_ task: URLSessionTask) -> [String: String] {
        [
            MetadataKey.mark: "1", MetadataKey.kind: task.driver.kind.rawValue,
            MetadataKey.identifier: String(task.taskIdentifier),
        ]
    }

    private func newDownload(_ task: URLSessionTask) throws(LullError) -> NewDownload {
        guard let request = task.originalRequest, let url = request.url else {
            throw .unwritable("a request without a URL")
        }
        var new = NewDownload(url: url.absoluteString)
        describe(task, &new)
        if let method = request.httpMethod, method != "GET" { new.method = .init(rawValue: method) }
        if !request.fields.isEmpty { new.headers = request.fields }
        new.bodyBase64 = request.httpBody?.base64EncodedString()
        new.timeoutIntervalForRequest = request.ownTimeout
        if task.driver.kind == .data { new.maxBytes = SessionEngine.bytesInMemoryAtMost }
        return new
    }

    private func newUpload(_ task: URLSessionUploadTask) throws(LullError) -> NewUpload {
        guard let request = task.originalRequest, let url = request.url else {
            throw .unwritable("a request without a URL")
        }
        let length: Int
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: task.file.path)
            length = (attributes[.size] as? NSNumber)?.intValue ?? 0
        } catch {
            throw .file("\(task.file.path): \(error.localizedDescription)")
        }
        let receiver = Receiver(
            url: url.absoluteString, method: .init(rawValue: request.httpMethod ?? "PUT"),
            headers: request.fields.mapValues { $0 })
        var metadata = metadata(task)
        metadata[MetadataKey.file] = task.file.path
        let said = task.said
        return NewUpload(
            destination: .receiver(receiver), length: length, session: identifier,
            earliestBeginDate: said.earliestBegin,
            countOfBytesClientExpectsToSend: said.expectsToSend < 0
                ? nil : Int(said.expectsToSend),
            priority: Double(said.priority), externalID: task.driver.name,
            taskDescription: said.description, metadata: metadata,
            timeoutIntervalForRequest: request.ownTimeout)
    }

    private func tell(
        _ task: URLSessionTask, _ wanted: TaskDriver.Wanted, _ id: String
    ) async throws(LullError) {
        let isUpload = task.driver.kind == .upload
        let report: Report
        switch wanted {
        case .running where isUpload: report = Report(try await lull.resumeUpload(id: id))
        case .running: report = Report(try await lull.resumeDownload(id: id))
        case .suspended where isUpload: report = Report(try await lull.suspendUpload(id: id))
        case .suspended: report = Report(try await lull.suspendDownload(id: id))
        case .canceled where isUpload: report = Report(try await lull.cancelUpload(id: id))
        case .canceled: report = Report(try await lull.cancelDownload(id: id))
        case .canceledForResume: return try await keepForResume(task, id)
        }
        task.driver.told(wanted, report)
    }

    /// Suspends a download and hands out its name as resume data.
    private func keepForResume(_ task: URLSessionTask, _ id: String) async throws(LullError) {
        try await lull.suspendDownload(id: id)
        try await lull.changeDownload(
            id: id, DownloadPatch(metadata: .set([MetadataKey.paused: "1"])))
        let url = task.originalRequest?.url?.absoluteString ?? ""
        let data = ResumeToken(session: identifier, id: id, url: url).data
        let handlers = task.driver.takeHandlers()
        await end(
            task, id: nil,
            URLError(.cancelled, userInfo: [NSURLSessionDownloadTaskResumeData: data]), keeping: id
        ) {
            for handler in handlers { handler(data) }
        }
    }
}
