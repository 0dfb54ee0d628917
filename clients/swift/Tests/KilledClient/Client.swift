import Foundation
import LullURLSession
import Synchronization

/// The delegate of a background session that moves each file to a folder.
final class Client: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safe because the delegate queue does one call at a time, and `run` uses constants alone.
    private let server: URL
    private let folder: URL
    private let origin: String
    private let count: Int
    private let isInvalid = Mutex(false)

    init(server: URL, folder: URL, origin: String, count: Int) {
        self.server = server
        self.folder = folder
        self.origin = origin
        self.count = count
    }

    /// Makes the tasks that are missing, and ends when all files are here and no task is left.
    func run() async throws {
        let session = URLSession(
            configuration: .background(withIdentifier: "killed", server: server), delegate: self,
            delegateQueue: nil)
        let found = await session.allTasks.compactMap { $0.originalRequest?.url?.lastPathComponent }
        log("found \(found.count)")
        let here = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for number in 0..<count {
            let name = "\(number).bin"
            // A name twice among the tasks would be two transfers of one file.
            guard !found.contains(name), !here.contains(name) else { continue }
            guard let url = URL(string: "\(origin)/\(name)") else { continue }
            session.downloadTask(with: url).resume()
            log("made \(name)")
        }
        while true {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let isEmpty = await session.allTasks.isEmpty
            if isEmpty, files.filter({ $0.hasSuffix(".bin") }).count == count { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        // The service has forgotten all tasks when the session is over.
        session.finishTasksAndInvalidate()
        while !isInvalid.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Makes all tasks in a default session, and does not end.
    func stay() async throws {
        let session = URLSession(
            configuration: .default(server: server, key: nil), delegate: self, delegateQueue: nil)
        for number in 0..<count {
            guard let url = URL(string: "\(origin)/\(number).bin") else { continue }
            session.downloadTask(with: url).resume()
        }
        while true { try await Task.sleep(for: .seconds(60)) }
    }

    private func log(_ line: String) {
        let file = folder.appending(path: "log")
        guard let handle = fopen(file.path, "a") else { return }
        fputs(line + "\n", handle)
        fclose(handle)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let name = downloadTask.originalRequest?.url?.lastPathComponent ?? "none"
        log("file \(name)")
        let place = folder.appending(path: name)
        do {
            // A file that an interrupted call had moved comes again.
            if FileManager.default.fileExists(atPath: place.path) {
                try FileManager.default.removeItem(at: place)
            }
            try FileManager.default.moveItem(at: location, to: place)
        } catch {
            log("lost \(name) \(error)")
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        isInvalid.withLock { $0 = true }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let name = task.originalRequest?.url?.lastPathComponent ?? "none"
        log(error.map { "failed \(name) \($0)" } ?? "done \(name)")
    }
}
