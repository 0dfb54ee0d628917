// A server with a few paths, for one test.
import Glibc
import HTTPServer
import HTTPWire
import Platform
import Synchronization

/// A server on a free loopback port, with a few paths, and with three lanes unless a test says
/// otherwise.
///
/// `/echo` gives the content back, `/later` answers from a task, `/hang` when it is cancelled,
/// `/big` has 3 MiB, `/close` ends the connection, `/thread` names the thread that answers; other
/// paths are echoed with their peer.
struct Served {
    let server: Server
    let address: ListenAddress
    let notes: Notes

    /// The notes of the handlers, which the test reads.
    final class Notes: Sendable {
        private let paths = Mutex<[String]>([])
        /// The content of the last request for `/take/kept`.
        let kept = Mutex<IncomingBody?>(nil)

        var all: [String] { paths.withLock { $0 } }

        func add(_ path: String) { paths.withLock { $0.append(path) } }

        /// Waits until a note is there this many times; false after about 20 seconds.
        func contains(_ note: String, times: Int = 1) async -> Bool {
            for _ in 0..<4000 {
                if all.count(where: { $0 == note }) >= times { return true }
                do { try await Task.sleep(for: .milliseconds(5)) } catch { return false }
            }
            return false
        }

        /// The number of times that a note is there, once it has not changed for a while.
        func steadyCount(of note: String) async -> Int {
            var count = -1
            var same = 0
            for _ in 0..<4000 where same < 40 {
                let now = all.count { $0 == note }
                same = now == count ? same + 1 : 0
                count = now
                do { try await Task.sleep(for: .milliseconds(5)) } catch { return count }
            }
            return count
        }
    }

    /// Limits that a client on a busy machine does not reach.
    private static let patient = ServerLimits(
        header: .seconds(600), writeStall: .seconds(600), keepAlive: .seconds(600))

    init(
        _ limits: ServerLimits = patient, at text: String = "127.0.0.1:0",
        admission: Server.Admission? = nil, refusal: Server.Refusal? = nil,
        gauges: ServerGauges = ServerGauges(), file: FileRegion? = nil, lanes: Int = 3
    ) async throws {
        Signals.ignoreBrokenPipes()
        guard let wanted = ListenAddress(text) else { throw Client.Failure(what: text) }
        let notes = Notes()
        server = Server(
            addresses: [wanted], limits: limits, streams: { $0.path.hasPrefix("/take") },
            admission: admission, refusal: refusal, gauges: gauges,
            onRequest: { answered in
                let (request, status) = (answered.request, answered.response.status)
                notes.add("\(request.method ?? "-") \(request.path ?? "-") \(status)")
            },
            lanes: lanes, handler: { Self.answer($0, notes, file) })
        guard let bound = try await server.open().first else { throw Client.Failure(what: text) }
        address = bound
        self.notes = notes
    }

    /// A client that is connected.
    func client(receiveBuffer: Int32? = nil) async throws -> Client {
        let client = Client(address)
        try await client.open(receiveBuffer: receiveBuffer)
        return client
    }

    /// The number of pieces of `/flood`, and the bytes of each.
    static let flood = (pieces: 1024, bytes: 1 << 14)

    /// `/stream` has three pieces, `/live` one at once and one when it is cancelled; `/sized`
    /// announces the length of the three, and `/short` a greater one.
    private static func stream(_ path: String, _ notes: Notes) -> BodyStream {
        BodyStream { writer in
            switch path {
            case "/stream", "/sized", "/short":
                for piece in ["one ", "", "two ", "three"] {
                    guard await writer.write(Array(piece.utf8)) else { return }
                }
            case "/flood":
                for number in 0..<flood.pieces {
                    let piece = [UInt8](
                        repeating: UInt8(truncatingIfNeeded: number), count: flood.bytes)
                    guard await writer.write(piece) else {
                        notes.add("nobody takes the flood")
                        return
                    }
                    notes.add("piece")
                }
            default:
                _ = await writer.write(Array("hello ".utf8))
                notes.add("said hello")
                do { try await Task.sleep(for: .seconds(60)) } catch {}
                let isHeard = await writer.write(Array("bye".utf8))
                notes.add(isHeard ? "said bye" : "nobody is there")
            }
        }
    }

    /// Reads the content and answers with its length and the sum of its bytes.
    ///
    /// `/take/held` first waits for the note "go on", `/take/unread` reads nothing, `/take/first`
    /// one piece; `/take/late` first ends the content of the last request for `/take/kept`;
    /// `/take/apart` reads in a task that prefers no executor.
    private static func take(_ request: Request, _ notes: Notes) async -> Response {
        func said(_ status: Int, _ text: String) -> Response {
            notes.add(text)
            return Response(status: status, body: .bytes(Array(text.utf8)))
        }
        guard let incoming = request.incoming else { return said(200, "no content") }
        if request.path == "/take/unread" { return said(409, "unread") }
        if request.path == "/take/kept" { notes.kept.withLock { $0 = incoming } }
        if request.path == "/take/late" {
            await notes.kept.withLock { $0 }?.abandon("late")
            notes.add("abandoned")
        }
        if request.path == "/take/held" {
            notes.add("held")
            _ = await notes.contains("go on")
        }
        var (count, sum) = (0, 0)
        while true {
            switch await incoming.next() {
            case .bytes(let bytes):
                count += bytes.count
                for byte in bytes { sum += Int(byte) }
                notes.add("piece")
                if request.path == "/take/first" { return said(409, "enough") }
            case .end:
                let length = incoming.length.map { "\($0)" } ?? "unknown"
                return said(200, "\(count) of \(length), sum \(sum)")
            case .broken(let reason):
                return said(400, "broken at \(count): \(reason)")
            }
        }
    }

    static let bigBody = [UInt8](repeating: 0x62, count: 3 << 20)

    private static func answer(_ request: Request, _ notes: Notes, _ file: FileRegion?) -> Answer {
        notes.add(request.path)
        let text = Array("\(request.method) \(request.path) \(request.peer)".utf8)
        let plain = Response(
            status: 200, headers: [("Content-Type", "text/plain")], body: .bytes(text))
        switch request.path {
        case "/echo": return .now(Response(status: 200, body: .bytes(request.body)))
        case "/big": return .now(Response(status: 200, body: .bytes(bigBody)))
        case "/close":
            return .now(Response(status: 200, body: .bytes(text), closesConnection: true))
        case "/thread":
            let name = Array("\(pthread_self())".utf8)
            return .now(Response(status: 200, body: .bytes(name)))
        case "/take/refused": return .now(Response(status: 403))
        case "/take/apart":
            return .later { await Task.detached { await take(request, notes) }.value }
        case let path where path.hasPrefix("/take"):
            return .later { await take(request, notes) }
        case "/nothing": return .now(Response(status: 204))
        case "/file":
            return .now(Response(status: 206, body: file.map { .file($0) } ?? .none))
        case "/later":
            return .later {
                await Task.yield()
                return plain
            }
        case "/hang":
            return .later {
                do { try await Task.sleep(for: .seconds(60)) } catch { notes.add("cancelled") }
                return plain
            }
        case "/sized", "/short":
            let made = stream(request.path, notes)
            let body = BodyStream(
                length: request.path == "/short" ? 100 : 13, made.produce)
            return .now(Response(status: 200, body: .stream(body)))
        case "/stream", "/flood", "/live":
            return .now(Response(status: 200, body: .stream(stream(request.path, notes))))
        default: return .now(plain)
        }
    }
}

/// A request without content.
func request(_ path: String, _ fields: String = "", method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}
