import Foundation
import LullURLSession

/// The songs that are here, and those that are on their way, at once or tonight.
final class Tunes: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safe because everything that changes is behind the lock.
    struct Row: Codable {
        let track: Track
        var state: String
        var percent: Double?
        var total: String?
        var reason: String?
        var isTonight = false
    }

    let query: QueryService
    private let folder: URL
    private let lock = NSLock()
    private var rows: [String: Row] = [:]
    private var tasks: [String: URLSessionDownloadTask] = [:]
    private lazy var now = session("halftunes.now", isDiscretionary: false)
    private lazy var tonight = session("halftunes.tonight", isDiscretionary: true)

    init(catalogue: String, folder: URL) throws {
        self.folder = folder
        query = QueryService(catalogue: catalogue)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        super.init()
        try loadSongs()
        for (session, isTonight) in [(now, false), (tonight, true)] {
            session.getAllTasks { [weak self] in self?.find($0, isTonight: isTonight) }
        }
    }

    private func session(_ name: String, isDiscretionary: Bool) -> URLSession {
        let configuration = URLSessionConfiguration.background(withIdentifier: name)
        configuration.isDiscretionary = isDiscretionary
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    /// Songs and resume data that an earlier run has put into the folder.
    private func loadSongs() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".json") {
            let data = try Data(contentsOf: folder.appending(path: name))
            let track = try JSONDecoder().decode(Track.self, from: data)
            let isHere = FileManager.default.fileExists(atPath: file(track).path)
            let isPaused = FileManager.default.fileExists(atPath: resumeFile(track).path)
            guard isHere || isPaused else { continue }
            rows[track.previewUrl] = Row(track: track, state: isHere ? "here" : "paused")
        }
    }

    /// Tasks of an earlier run; their description is the track.
    private func find(_ found: [URLSessionTask], isTonight: Bool) {
        lock.withLock {
            for case let task as URLSessionDownloadTask in found {
                guard let track = track(task) else { continue }
                tasks[track.previewUrl] = task
                rows[track.previewUrl] = Row(track: track, state: "running", isTonight: isTonight)
            }
        }
    }

    private func track(_ task: URLSessionTask) -> Track? {
        guard let text = task.taskDescription else { return nil }
        return try? JSONDecoder().decode(Track.self, from: Data(text.utf8))
    }

    func file(_ track: Track) -> URL { folder.appending(path: track.file) }
    private func resumeFile(_ track: Track) -> URL { folder.appending(path: track.file + ".resume") }

    /// All rows, in the order of the tracks.
    var shown: [Row] {
        lock.withLock {
            rows.map { url, row in
                var row = row
                if row.state == "running", let task = tasks[url] {
                    row.reason = task.waitingReasons.first
                }
                return row
            }.sorted { $0.track.trackId < $1.track.trackId }
        }
    }

    // MARK: What buttons do

    func start(_ track: Track, isTonight: Bool) throws {
        let text = try JSONEncoder().encode(track)
        // The file says in a later run which song this is.
        try text.write(to: folder.appending(path: track.file + ".json"))
        guard let url = URL(string: track.previewUrl) else { return }
        let task = (isTonight ? tonight : now).downloadTask(with: url)
        task.taskDescription = String(decoding: text, as: UTF8.self)
        lock.withLock {
            tasks[track.previewUrl] = task
            rows[track.previewUrl] = Row(track: track, state: "running", isTonight: isTonight)
        }
        task.resume()
    }

    func pause(_ track: Track) {
        let task = lock.withLock {
            rows[track.previewUrl]?.state = "pausing"
            return tasks.removeValue(forKey: track.previewUrl)
        }
        task?.cancel(byProducingResumeData: { [self] data in
            // Without resume data the song begins again from its start.
            try? data?.write(to: resumeFile(track))
            let isWanted = lock.withLock {
                rows[track.previewUrl]?.state = "paused"
                return rows[track.previewUrl] != nil
            }
            if !isWanted { cancel(track) }
        })
    }

    func resume(_ track: Track) throws {
        guard let data = try? Data(contentsOf: resumeFile(track)) else {
            return try start(track, isTonight: false)
        }
        try FileManager.default.removeItem(at: resumeFile(track))
        let isTonight = lock.withLock { rows[track.previewUrl]?.isTonight ?? false }
        let task = (isTonight ? tonight : now).downloadTask(withResumeData: data)
        // A task of resume data is a new one: the description tells a later run its song.
        let text = try JSONEncoder().encode(track)
        task.taskDescription = String(decoding: text, as: UTF8.self)
        lock.withLock {
            tasks[track.previewUrl] = task
            rows[track.previewUrl]?.state = "running"
        }
        task.resume()
    }

    func cancel(_ track: Track) {
        // A paused download is let go on, to be canceled.
        if let data = try? Data(contentsOf: resumeFile(track)) {
            try? FileManager.default.removeItem(at: resumeFile(track))
            let task = now.downloadTask(withResumeData: data)
            task.resume()
            task.cancel()
        }
        let task = lock.withLock {
            rows[track.previewUrl] = nil
            return tasks.removeValue(forKey: track.previewUrl)
        }
        task?.cancel()
    }

    // MARK: The delegate

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let url = downloadTask.originalRequest?.url?.absoluteString else { return }
        let track = lock.withLock { rows[url]?.track } ?? track(downloadTask)
        guard let track else { return }
        let place = file(track)
        do {
            if FileManager.default.fileExists(atPath: place.path) {
                try FileManager.default.removeItem(at: place)
            }
            try FileManager.default.moveItem(at: location, to: place)
        } catch {
            print("Could not move the file: \(error.localizedDescription)")
            return
        }
        lock.withLock {
            tasks[url] = nil
            rows[url] = Row(track: track, state: "here")
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let url = downloadTask.originalRequest?.url?.absoluteString,
            totalBytesExpectedToWrite > 0
        else { return }
        lock.withLock {
            rows[url]?.percent = Double(totalBytesWritten) / Double(totalBytesExpectedToWrite) * 100
            rows[url]?.total = ByteCountFormatter.string(
                fromByteCount: totalBytesExpectedToWrite, countStyle: .file)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let error = error as? URLError, error.code != .cancelled,
            let url = task.originalRequest?.url?.absoluteString
        else { return }
        lock.withLock {
            tasks[url] = nil
            rows[url]?.state = "failed"
            rows[url]?.reason = error.localizedDescription
        }
    }
}
