// One client.
internal import HTTPWire
internal import Platform

/// The state of a connection; owned by the server and touched on its loop only.
final class Connection {
    /// What the server does for this client.
    enum State {
        /// Takes requests.
        case reading
        /// Waits for the handler's answer to one.
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
        /// What is being answered; nil for bytes that were not a request.
        var request: Request?
        /// What could be read of those.
        var fragment: RequestOutline?
        var began: Int64

        /// What is said of it in the log.
        var outline: RequestOutline? { request.map { RequestOutline($0) } ?? fragment }
        var isHead: Bool { request?.isHead ?? fragment?.isHead ?? false }
        var keepsAlive: Bool { request?.keepsAlive ?? false }
        var version: HTTPVersion { request?.version ?? .http11 }
    }

    /// A streamed body that is not complete yet.
    struct Stream {
        var isChunked: Bool
        /// The bytes of the announced length that are still to come; nil without a length.
        var left: Int64?
        /// Whether the connection ends after it.
        var closes: Bool
        /// Its producer, while it waits for room.
        var producer: CheckedContinuation<Bool, Never>?
    }

    let token: Token
    let socket: FileDescriptor
    /// The address that it is counted under; nil for a Unix socket.
    let client: ClientAddress?
    var parser: RequestParser
    var output = Output()
    var state = State.reading
    var exchange: Exchange?
    var task: Task<Void, Never>?
    /// How the streamed body is sent; nil for none.
    var stream: Stream?
    /// The client has sent its last byte.
    var isHalfClosed = false
    var served = 0
    /// When it was accepted, in nanoseconds on the boot clock.
    let began: Int64
    var watched = EpollSet.readable
    /// The stage of the request being read and since when, in nanoseconds; nil to start again.
    var stage: RequestParser.Stage?
    var since: Int64
    /// The deadline, in nanoseconds on the boot clock.
    var deadline = Int64.max
    var lingeredBytes = 0

    init(
        token: Token, socket: consuming FileDescriptor, client: ClientAddress?,
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
