import Foundation
import LullURLSession
import Synchronization

/// A delegate that keeps the order of its calls.
final class Recorder: NSObject, URLSessionDownloadDelegate, Sendable {
    private let state = Mutex<(calls: [String], file: Data?, error: URLError?)>(([], nil, nil))

    var calls: [String] { state.withLock { $0.calls } }
    var file: Data? { state.withLock { $0.file } }
    var error: URLError? { state.withLock { $0.error } }

    private func note(_ call: String) {
        state.withLock { $0.calls.append(call) }
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        note("created")
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        note("unreached")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        note("file")
        state.withLock { $0.file = FileManager.default.contents(atPath: location.path) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    ) {
        note("resumed at \(fileOffset)")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        note("complete")
        state.withLock { $0.error = error as? URLError }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        note("sent")
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        note("events")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("invalid")
    }
}
