/// Not here: credentials go with the request.
@available(
    *, unavailable,
    message: "Lull asks no program for credentials; give them in the header fields of the request"
)
public typealias URLAuthenticationChallenge = Never

/// Not here: there is no cache.
@available(*, unavailable, message: "Lull has no cache; each download is a file of its own")
public typealias CachedURLResponse = Never

/// Not here: a transfer has a beginning and an end.
@available(*, unavailable, message: "Lull has no WebSockets")
public typealias URLSessionWebSocketTask = Never

/// Not here: a transfer has a beginning and an end.
@available(*, unavailable, message: "Lull has no WebSockets")
public typealias URLSessionWebSocketDelegate = URLSessionTaskDelegate

/// Not here: a transfer has a beginning and an end.
@available(*, unavailable, message: "Lull has no streams")
public typealias URLSessionStreamTask = Never

/// Not here: a transfer has a beginning and an end.
@available(*, unavailable, message: "Lull has no streams")
public typealias URLSessionStreamDelegate = URLSessionTaskDelegate

/// Not here: `attempts` of the API have the times of each phase.
@available(*, unavailable, message: "use listAttempts of LullClient")
public typealias URLSessionTaskMetrics = Never

extension URLSession {
    /// Not here: credentials go with the request.
    @available(
        *, unavailable,
        message: "Lull asks no program for credentials; give them in the request"
    )
    public typealias AuthChallengeDisposition = Never

    /// Not here: bytes come to completion handlers and files.
    @available(*, unavailable, message: "use dataTask(with:completionHandler:) or a download task")
    public typealias ResponseDisposition = Never

    /// Not here: the program need not run when a transfer begins.
    @available(
        *, unavailable,
        message: "use beginHook of LullClient: a webhook that answers when a transfer is to begin"
    )
    public typealias DelayedRequestDisposition = Never
}
