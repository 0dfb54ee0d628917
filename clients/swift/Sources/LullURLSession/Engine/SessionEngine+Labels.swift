internal import Foundation
internal import LullClient

extension SessionEngine {
    /// The most bytes of a data task.
    static let bytesInMemoryAtMost = 256 << 20

    /// The error of a task whose request or session the service refuses.
    static func refused(_ problem: Problem) -> URLError {
        let words = [problem.detail] + (problem.errors ?? []).map(\.detail)
        return URLError(
            .badURL, userInfo: [NSLocalizedDescriptionKey: words.joined(separator: " ")])
    }

    /// Tells the service what can be changed about a task that it has.
    func tellLabels(of task: URLSessionTask) async {
        while let id = await transfer(of: task) {
            let said = task.said
            let priority = Change.set(Double(said.priority))
            let description = said.description.map { Change.set($0) } ?? .remove
            let begin = said.earliestBegin.map { Change.set($0) } ?? .remove
            do {
                if task.driver.kind == .upload {
                    try await lull.changeUpload(
                        id: id,
                        UploadPatch(
                            priority: priority, earliestBeginDate: begin,
                            taskDescription: description))
                } else {
                    try await lull.changeDownload(
                        id: id,
                        DownloadPatch(
                            priority: priority, earliestBeginDate: begin,
                            taskDescription: description))
                }
                return
            } catch {
                guard !SessionEngine.passes(error) else {
                    await rest()
                    continue
                }
                // A task that has just ended has no use for it.
                guard let problem = error.problem, ![404, 409].contains(problem.status) else {
                    return
                }
                await end(task, id: id, SessionEngine.refused(problem))
                return task.driver.signal()
            }
        }
    }

    /// Ends a task whose sizes are told too late: a transfer that is planned has its sizes.
    func refuseSizes(of task: URLSessionTask) async {
        guard let id = await transfer(of: task) else { return }
        let words = "set the counts of bytes that a task expects before its first resume()"
        await end(task, id: id, URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: words]))
        task.driver.signal()
    }

    /// The transfer of a task, once the service has it; nil for one that is over.
    private func transfer(of task: URLSessionTask) async -> String? {
        while !Task.isCancelled, !task.driver.isOver {
            if let id = task.driver.report?.id { return id }
            // The transfer is being made, perhaps with the labels from before.
            await rest()
        }
        return nil
    }
}
