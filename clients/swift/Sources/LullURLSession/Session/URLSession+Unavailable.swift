public import Foundation

extension URLSession {
    /// Not here: a session belongs to a service.
    @available(*, unavailable, message: "make a session with a configuration, which has a server")
    public class var shared: URLSession { preconditionFailure("unavailable") }

    /// Not here: bytes come to completion handlers and files.
    @available(*, unavailable, message: "use dataTask(with:completionHandler:) or a download task")
    public func dataTask(with url: URL) -> URLSessionDataTask { preconditionFailure("unavailable") }

    /// Not here: bytes come to completion handlers and files.
    @available(*, unavailable, message: "use dataTask(with:completionHandler:) or a download task")
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        preconditionFailure("unavailable")
    }

    /// Not here: the service needs a file that it can read again.
    @available(
        *, unavailable, message: "write the data to a file and use uploadTask(with:fromFile:)"
    )
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
        preconditionFailure("unavailable")
    }

    /// Not here: the service needs a file that it can read again.
    @available(*, unavailable, message: "use uploadTask(with:fromFile:)")
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        preconditionFailure("unavailable")
    }

    /// Not here: a transfer has a beginning and an end.
    @available(*, unavailable, message: "Lull has no WebSockets")
    public func webSocketTask(with url: URL) { preconditionFailure("unavailable") }

    /// Not here: a transfer has a beginning and an end.
    @available(*, unavailable, message: "Lull has no streams")
    public func streamTask(withHostName hostname: String, port: Int) {
        preconditionFailure("unavailable")
    }

    /// Not here: there are no cookies, credentials or caches to empty.
    @available(*, unavailable, message: "a session of Lull has nothing to reset")
    public func reset(completionHandler: @escaping @Sendable () -> Void) {
        preconditionFailure("unavailable")
    }

    /// Not here: nothing is kept in this program.
    @available(*, unavailable, message: "a session of Lull has nothing to flush")
    public func flush(completionHandler: @escaping @Sendable () -> Void) {
        preconditionFailure("unavailable")
    }

    /// Not here: the service needs a file that it can read again.
    @available(
        *, unavailable, message: "write the data to a file and use uploadTask(with:fromFile:)"
    )
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        preconditionFailure("unavailable")
    }

    /// Not here: an upload goes on by itself where it was.
    @available(*, unavailable, message: "suspend() the upload task, and resume() it later")
    public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
        preconditionFailure("unavailable")
    }

    /// Not here: the file of a task is there until its handler returns.
    @available(*, unavailable, message: "use downloadTask(with:completionHandler:)")
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: the file of a task is there until its handler returns.
    @available(*, unavailable, message: "use downloadTask(with:completionHandler:)")
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: use the task, which is found again after a restart of the program.
    @available(*, unavailable, message: "use uploadTask(with:fromFile:completionHandler:)")
    public func upload(
        for request: URLRequest, fromFile fileURL: URL
    ) async throws -> (Data, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: the service needs a file that it can read again.
    @available(
        *, unavailable, message: "write the data to a file and use uploadTask(with:fromFile:)"
    )
    public func upload(
        for request: URLRequest, from bodyData: Data
    ) async throws -> (Data, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: bytes are read when all are there.
    @available(*, unavailable, message: "use data(for:), or a download task")
    public func bytes(for request: URLRequest) async throws -> (Never, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: bytes are read when all are there.
    @available(*, unavailable, message: "use data(from:), or a download task")
    public func bytes(from url: URL) async throws -> (Never, URLResponse) {
        preconditionFailure("unavailable")
    }

    /// Not here: a session is named by its configuration.
    @available(*, unavailable, message: "use the identifier of a background configuration")
    public var sessionDescription: String? {
        get { nil }
        set {}
    }
}
