public import Foundation
internal import LullClient

extension URLSession {
    /// A task that fetches a URL into memory, at most 256 MiB; it begins with `resume()`.
    public func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task that fetches the answer to a request into memory, at most 256 MiB.
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        let task = URLSessionDataTask(self, request)
        task.handler = completionHandler
        return engine.added(task)
    }

    /// A task that fetches a URL into a file; it begins with `resume()`.
    public func downloadTask(with url: URL) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url))
    }

    /// A task that fetches the answer to a request into a file; it begins with `resume()`.
    public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        engine.added(URLSessionDownloadTask(self, request))
    }

    /// As `downloadTask(with:)`; the file is there until the handler returns.
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// As `downloadTask(with:)`; the file is there until the handler returns.
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        let task = URLSessionDownloadTask(self, request)
        task.handler = completionHandler
        return engine.added(task)
    }

    /// A task that goes on where another was canceled with `cancel(byProducingResumeData:)`.
    ///
    /// It ends with an error where these data are not of Lull, or too old.
    public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
        let token = ResumeToken(resumeData)
        let url = token.flatMap { URL(string: $0.url) }
        let task = URLSessionDownloadTask(self, url.map { URLRequest(url: $0) })
        task.continues(token)
        return engine.added(task)
    }

    /// A task that sends a file to the URL of a request, by its method; it begins with `resume()`.
    ///
    /// The service has a copy of the file once it has taken all bytes; until then the file must stay.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask
    {
        engine.added(URLSessionUploadTask(self, request, file: fileURL))
    }

    /// As `uploadTask(with:fromFile:)`; the handler gets the beginning of the receiver's answer.
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        let task = URLSessionUploadTask(self, request, file: fileURL)
        task.handler = completionHandler
        return engine.added(task)
    }

    /// The answer to a request, in memory.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await withCheckedThrowingContinuation { waiting in
            dataTask(with: request) { data, response, error in
                if let data, let response {
                    waiting.resume(returning: (data, response))
                } else {
                    waiting.resume(throwing: error ?? URLError(.unknown))
                }
            }.resume()
        }
    }

    /// What is at a URL, in memory.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(for: URLRequest(url: url))
    }
}
