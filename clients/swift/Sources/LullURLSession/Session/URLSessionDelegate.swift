public import Foundation

/// What a session tells; each call has a default that does nothing.
public protocol URLSessionDelegate: NSObjectProtocol {
    /// The session is over; nil for one that was invalidated.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    /// All ends that happened while the program did not run have been told.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// What a session tells about its tasks.
///
/// Methods of Apple's delegates that would never be called do not compile.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// A task was made, not resumed yet; it is the first call about the task.
    ///
    /// Tasks of an earlier run of the program are not told here.
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)
    /// The origin is not reached, and the task waits until it is; at most one call for each task.
    ///
    /// It comes within half a minute, where `waitsForConnectivity` is true.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// A task is over: nil after success. It is the last call about the task.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    /// How much of its file an upload task has sent.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
}

/// What a session tells about download tasks.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// The file is there; read or move it before the call ends.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL)
    /// Bytes came; `totalBytesExpectedToWrite` is -1 where it is not known.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
    /// A task of resume data goes on.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64)
}

/// A delegate of data tasks; their bytes come to completion handlers.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}

extension URLSessionDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    /// Does nothing.
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

extension URLSessionTaskDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {}
}

extension URLSessionDownloadDelegate {
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    ) {}
}

/// The number of bytes that stands for one that is not known.
public let NSURLSessionTransferSizeUnknown: Int64 = -1

/// The name of the resume data among the user information of an error.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"
