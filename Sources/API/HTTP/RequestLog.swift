// The log of requests, with the `X-Request-Id` of each.
internal import Base
internal import Downloads
package import HTTPWire
package import Platform
internal import Synchronization

/// Writes one line for each answer: refusals (4xx) as `info`, failures (5xx) as `warn`, all other
/// answers as `debug`, also the 503 of `/readyz`.
package final class RequestLog: Sendable {
    /// The most lines a second about refusals and failures.
    ///
    /// Further lines are dropped and counted; the next line has their number as `omitted`.
    static let linesPerSecond = 100.0
    private static let pathBytesAtMost = 256

    private struct State {
        var bucket: TokenBucket?
        var omitted: Int64 = 0
    }

    private let log: Log
    private let state = Mutex(State())

    /// Creates a log of requests over the log of the program.
    package init(_ log: Log) { self.log = log }

    /// Logs an answer.
    ///
    /// - Parameters:
    ///   - request: the request, as far as it was read.
    ///   - response: the answer; its `X-Request-Id` names the request.
    ///   - microseconds: how long it took.
    ///   - now: any clock that does not run backwards, in microseconds.
    package func note(
        _ request: RequestOutline, _ response: Response, microseconds: Int64, now: Int64
    ) {
        let status = response.status
        // Whoever waits for readiness asks until it is there: an answer of no is no failure.
        let isFailed = status >= 400 && !(status == 503 && request.path == "/readyz")
        guard isFailed || log.writes(.debug) else { return }
        var fields: [(String, LogValue)] = []
        if isFailed {
            guard let omitted = admit(at: Timestamp(microseconds: now)) else { return }
            if omitted > 0 { fields.append(("omitted", .integer(omitted))) }
        }
        if let id = response.headers.last(where: { $0.0 == "X-Request-Id" })?.1 {
            fields.append(("request_id", .string(id)))
        }
        if let trace = request.traceparent.flatMap(TraceParent.read) {
            fields.append(("trace_id", .string(TraceParent.traceID(of: trace))))
        }
        if let method = request.method {
            fields.append(("http.request.method", .string(method)))
        }
        if let path = request.path {
            let shown = TokenPath.hidden(path)
            let start = shown.utf8.prefix(RequestLog.pathBytesAtMost)
            fields.append(("path", .string(String(decoding: start, as: UTF8.self))))
        }
        fields += [
            ("http.response.status_code", .integer(Int64(status))),
            ("duration_us", .integer(microseconds)), ("client", .string(request.peer)),
        ]
        switch status {
        case _ where !isFailed: log.debug("http request", fields)
        case 500...: log.warn("http request failed", fields)
        case 400...: log.info("http request refused", fields)
        default: log.debug("http request", fields)
        }
    }

    /// The number of dropped lines before this one; nil if this one is dropped, too.
    private func admit(at now: Timestamp) -> Int64? {
        state.withLock { state in
            let rate = RequestLog.linesPerSecond
            var bucket = state.bucket ?? TokenBucket(rate: rate, now: now)
            defer { state.bucket = bucket }
            guard bucket.take(rate: rate, now: now) == nil else {
                state.omitted += 1
                return nil
            }
            defer { state.omitted = 0 }
            return state.omitted
        }
    }
}
