// Clients that send or read a little every nine seconds, just often enough to seem alive.
import Foundation
import Synchronization

/// A crowd on a thread of its own; a client that is disconnected connects again.
final class Crowd: Sendable {
    private let state = Mutex(State())
    private let port: Int
    private let content: String
    private let count: Int

    private struct State {
        var isReady = false
        var isLeaving = false
        var hasLeft = false
        var endings = 0
        var failure: String?
    }

    /// Connects all clients and returns when each has sent its first bytes.
    init(port: Int, content: String, count: Int) throws {
        self.port = port
        self.content = content
        self.count = count
        let thread = Thread { self.run() }
        thread.start()
        for _ in 0..<3000 where !state.withLock({ $0.isReady || $0.failure != nil }) {
            Thread.sleep(forTimeInterval: 0.01)
        }
        if let failure = state.withLock({ $0.failure }) { throw BenchmarkError(failure) }
        guard state.withLock({ $0.isReady }) else {
            leave()
            throw BenchmarkError("a crowd of \(count) does not get in")
        }
    }

    /// The number of connections that the server has ended.
    var endings: Int { state.withLock { $0.endings } }

    /// Closes every connection and returns when all are closed.
    func leave() {
        state.withLock { $0.isLeaving = true }
        while !state.withLock({ $0.hasLeft }) { Thread.sleep(forTimeInterval: 0.01) }
    }

    private func run() {
        do {
            try live()
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
        state.withLock { $0.hasLeft = true }
    }

    private func live() throws {
        var members = try (0..<count).map { number in
            SlowClient(connection: try join(number), number: number)
        }
        state.withLock { $0.isReady = true }
        var round = 0
        while !state.withLock({ $0.isLeaving }) {
            // The pause is a hundredth of the nine seconds, so that the clients' steps are spread.
            Thread.sleep(forTimeInterval: 0.09)
            round += 1
            for number in members.indices {
                let isDue = (number + round) % 100 == 0
                let stays = try members[number].live(isDue: isDue)
                if stays { continue }
                state.withLock { $0.endings += 1 }
                members[number] = SlowClient(connection: try join(number), number: number)
            }
        }
    }

    private func join(_ number: Int) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: port, receiveBuffer: 4096)
        try connection.write(
            [
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
                "POST /v1/downloads HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{",
                "GET \(content) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            ][number % 3])
        return connection
    }
}

/// One client of the crowd.
private struct SlowClient {
    let connection: HTTPConnection
    let number: Int

    /// Sends or reads a few bytes, if that is due.
    ///
    /// - Returns: false if the server has ended the connection.
    func live(isDue: Bool) throws -> Bool {
        var room = [UInt8](repeating: 0, count: 512)
        let isReader = number % 3 == 2
        guard isDue || !isReader else { return true }
        let count = unsafe recv(
            connection.descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        if count == 0 || count > 0 && !isReader || count < 0 && errno != EAGAIN { return false }
        guard isDue, !isReader else { return true }
        do { try connection.write(" ") } catch { return false }
        return true
    }
}
