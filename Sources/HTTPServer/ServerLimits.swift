// The limits for one client, and for all clients together.
package import HTTPWire

/// The limits of a server.
///
/// Times are deadlines: a client cannot stretch them by sending a little.
package struct ServerLimits: Sendable {
    /// The limits of one request.
    package var wire: WireLimits
    /// The most connections open at once; further ones wait in the listen queue.
    package var connections: Int
    /// Descriptors from this number on are not given to clients: the program needs them for other
    /// work.
    package var descriptors: Int
    /// The most connections open at once from one address; further ones are closed at once.
    ///
    /// An IPv6 address counts as its network of 64 bits. Local sockets are not counted.
    package var connectionsPerAddress: Int
    /// Whether loopback counts as an address; a proxy connects from there for all its clients.
    package var countsLoopback: Bool
    /// The most requests on one connection before it is closed; nil for no limit.
    package var requestsPerConnection: Int?
    /// The longest time from a request's first byte (or the connect) to the end of its head.
    package var header: Duration
    /// The longest time from the end of the head to the end of the content, not counting the time
    /// that its bytes take at `bodyBytesPerSecond`.
    ///
    /// For content that its handler reads, the longest time without a byte: it has no total limit.
    package var body: Duration
    /// The slowest rate of an upload, in bytes per second.
    package var bodyBytesPerSecond: Int
    /// The longest time in which the client takes no byte of its answer.
    package var writeStall: Duration
    /// The longest time between two requests.
    package var keepAlive: Duration
    /// The age after which a connection ends with the answer to its next request.
    package var age: Duration
    /// The longest time from a half-close to the close, while further input is discarded.
    package var linger: Duration
    /// The most bytes discarded after a half-close, so that the client can read its answer.
    package var lingerBytes: Int
    /// The most bytes read ahead while an answer is pending.
    package var readAheadBytes: Int

    /// The buffered bytes of a streamed body above which its producer waits.
    package var streamBytes: Int
    /// The bytes of a request's content that wait for its handler, above which the connection is
    /// not read.
    package var intakeBytes: Int

    /// Sets every limit; the defaults suit an API behind a proxy or on its own.
    package init(
        wire: WireLimits = WireLimits(), connections: Int = 8192,
        descriptors: Int = .max, connectionsPerAddress: Int = 2048, countsLoopback: Bool = false,
        requestsPerConnection: Int? = 1000, header: Duration = .seconds(10),
        body: Duration = .seconds(30), bodyBytesPerSecond: Int = 1024,
        writeStall: Duration = .seconds(20), keepAlive: Duration = .seconds(30),
        age: Duration = .seconds(600),
        linger: Duration = .seconds(2), lingerBytes: Int = 64 << 20, readAheadBytes: Int = 1 << 16,
        streamBytes: Int = 1 << 16, intakeBytes: Int = 1 << 18
    ) {
        precondition(
            connections > 0 && bodyBytesPerSecond > 0, "a server has room for a connection")
        self.wire = wire
        self.connections = connections
        self.descriptors = descriptors
        self.connectionsPerAddress = connectionsPerAddress
        self.countsLoopback = countsLoopback
        self.requestsPerConnection = requestsPerConnection
        self.header = header
        self.body = body
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.writeStall = writeStall
        self.keepAlive = keepAlive
        self.age = age
        self.linger = linger
        self.lingerBytes = lingerBytes
        self.readAheadBytes = readAheadBytes
        self.streamBytes = streamBytes
        self.intakeBytes = intakeBytes
    }
}
