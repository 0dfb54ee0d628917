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
}
