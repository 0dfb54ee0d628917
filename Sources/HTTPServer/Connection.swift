// The state of one client's connection.
internal import HTTPWire
internal import Platform

/// A client's connection; owned by the server and touched on its loop only.
final class Connection {
    /// The phase of the connection.
    enum State {
        /// Reads requests.
        case reading
        /// Waits for the handler's answer to a request.
        case answering
        /// Sends a streamed body.
        case streaming
        /// Writes the last answer.
        case closing
        /// Has sent its last answer and discards further input.
        case lingering
    }

    /// A request whose answer is not written yet.
    struct Exchange {
        /// The request that is being answered; nil for bytes that were not a request.
        var request: Request?
        /// The part that could be read of bytes that were not a request.
        var fragment: RequestOutline?
        var began: Int64

        /// The request as the access log names it.
        var outline: RequestOutline? { request.map { RequestOutline($0) } ?? fragment }
        var isHead: Bool { request?.isHead ?? fragment?.isHead ?? false }
        var keepsAlive: Bool { request?.keepsAlive ?? false }
        var version: HTTPVersion { request?.version ?? .http11 }
    }

    /// A streamed body that is not complete yet.
    struct Stream {
        var isChunked: Bool
        /// The bytes of the announced length that are not written yet; nil without a length.
        var left: Int64?
        /// Whether the connection ends after the body.
        var closes: Bool
        /// The body's producer, while it waits for room in the buffer.
        var producer: CheckedContinuation<Bool, Never>?
    }

    let token: ConnectionToken
    let socket: FileDescriptor
    /// The address under which the client is counted; nil for a Unix socket.
    let client: ClientAddress?
    var parser: RequestParser
    var output = Output()
    var state = State.reading
    var exchange: Exchange?
    var task: Task<Void, Never>?
    /// The streamed body that is being sent; nil for none.
    var stream: Stream?
    /// The content that the handler of the request reads; nil for none.
    var intake: Intake?
    /// Whether the client has sent its last byte.
    var isHalfClosed = false
    var served = 0
    /// The time at which it was accepted, in nanoseconds on the boot clock.
    let began: Int64
    var watched = EpollSet.readable
    /// The stage of the request being read and the time of its begin, in nanoseconds; nil to start
    /// again.
    var stage: RequestParser.Stage?
    var since: Int64
    /// The deadline, in nanoseconds on the boot clock.
    var deadline = Int64.max
    var lingeredBytes = 0

    init(
        token: ConnectionToken, socket: consuming FileDescriptor, client: ClientAddress?,
        parser: RequestParser, now: Int64
    ) {
        self.token = token
        self.socket = socket
        self.client = client
        self.parser = parser
        since = now
        began = now
    }

    var descriptor: Int32 { socket.rawValue }
}
