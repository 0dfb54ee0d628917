public import Foundation

// Methods of Apple's delegates whose types are ordinary ones, so that no type can refuse them. Swift
// has no unavailable requirement of a protocol; but a class that has a method of its superclass by
// accident does not compile, and the compiler shows the message beside the method. Written with
// `unavailable`, they would be overlooked.
extension NSObject {
    /// Not here: the service follows redirects, and keeps secrets with their origin.
    @available(swift, obsoleted: 3, message: "Lull follows redirects by itself; see task.response")
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { preconditionFailure("refused") }

    /// Not here: the service follows redirects, and keeps secrets with their origin.
    @available(swift, obsoleted: 3, message: "Lull follows redirects by itself; see task.response")
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) async -> URLRequest? { preconditionFailure("refused") }

    /// Not here: the service keeps what it sends, and repeats it by itself.
    @available(
        swift, obsoleted: 3, message: "Lull sends no streams; use uploadTask(with:fromFile:)"
    )
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { preconditionFailure("refused") }

    /// Not here: the service keeps what it sends, and repeats it by itself.
    @available(
        swift, obsoleted: 3, message: "Lull sends no streams; use uploadTask(with:fromFile:)"
    )
    public func urlSession(
        _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask
    ) async -> InputStream? { preconditionFailure("refused") }

    /// Not here: the service keeps what it sends, and repeats it by itself.
    @available(
        swift, obsoleted: 3, message: "Lull sends no streams; use uploadTask(with:fromFile:)"
    )
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { preconditionFailure("refused") }

    /// Not here: the service reads over answers of 1xx.
    @available(swift, obsoleted: 3, message: "Lull does not tell answers of 1xx")
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) { preconditionFailure("refused") }

    /// Not here: bytes come to completion handlers and files.
    @available(swift, obsoleted: 3, message: "use dataTask(with:completionHandler:)")
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) { preconditionFailure("refused") }

    /// Not here: a task stays of the kind with which it was made.
    @available(swift, obsoleted: 3, message: "make a download task in the first place")
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) { preconditionFailure("refused") }
}
