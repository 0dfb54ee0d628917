// The bounds for one client, and for all clients together.
package import HTTPWire

/// The bounds of serving.
///
/// Times are deadlines: a client cannot stretch them by sending a little.
package struct ServerLimits: Sendable {
    /// The bounds of one request.
    package var wire: WireLimits
    /// Connections open at once; further ones wait in the listen queue.
    package var connections: Int
    /// Clients get no descriptor from this one on: the program needs those for other work.
    package var descriptors: Int
    /// Connections open at once from one address; further ones are closed at once.
    ///
    /// Of IPv6 the network of 64 bits counts. Local sockets are not counted.
    package var connectionsPerAddress: Int
    /// Whether loopback counts as an address; a proxy connects from there for all its clients.
    package var countsLoopback: Bool
    /// Requests on one connection before it is closed; nil for no end.
    package var requestsPerConnection: Int?
    /// From a request's first byte (or the connect) to the end of its head.
    package var header: Duration
    /// From the end of the head to the end of the content, besides its bytes at the slowest rate.
    package var body: Duration
    /// The slowest upload that is waited for.
    package var bodyBytesPerSecond: Int
    /// Without the client taking a byte of its answer.
    package var writeStall: Duration
    /// Between two requests.
    package var keepAlive: Duration
    /// The age after which a connection ends with the answer to its next request.
    package var age: Duration
    /// From a half-close to the close, while further input is discarded.
    package var linger: Duration
    /// Bytes discarded after a half-close, so that the client can read its answer.
    package var lingerBytes: Int
    /// Bytes read ahead while an answer is pending.
    package var readAheadBytes: Int

    /// Bytes of a body that is made while it is sent: above so many its producer waits.
    package var streamBytes: Int

    /// Names every bound; the defaults suit an API behind a proxy or on its own.
    package init(
        wire: WireLimits = WireLimits(), connections: Int = 8192,
        descriptors: Int = .max, connectionsPerAddress: Int = 2048, countsLoopback: Bool = false,
        requestsPerConnection: Int? = 1000, header: Duration = .seconds(10),
        body: Duration = .seconds(30), bodyBytesPerSecond: Int = 1024,
        writeStall: Duration = .seconds(20), keepAlive: Duration = .seconds(30),
        age: Duration = .seconds(600),
        linger: Duration = .seconds(2), lingerBytes: Int = 1 << 20, readAheadBytes: Int = 1 << 16,
        streamBytes: Int = 1 << 16
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
    }
}
