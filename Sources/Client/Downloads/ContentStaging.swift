// Bringing the bytes of an upload to the service by tus, across lost connections.
internal import Base
internal import Platform

/// Sends a file to the service, from the offset that the service has.
struct ContentStaging {
    /// The number of connections in a row without a byte after which the staging fails.
    private static let vainAtMost = 10
    /// The answers in a row that another offset is the next one, after which it fails.
    private static let conflictsAtMost = 3

    let context: ClientContext
    let id: String
    let file: LocalFile
    /// The path of the content.
    let path: String

    /// Sends all bytes that are not there yet.
    ///
    /// - Parameter deadline: by `SystemClock.bootNanoseconds`; nil for none.
    /// - Returns: false when the time was over.
    /// - Throws: `ClientFailure` where the service does not take them.
    func run(until deadline: Int64?) throws(ClientFailure) -> Bool {
        var (vain, furthest, conflicts) = (0, Int64(-1), 0)
        while true {
            if let deadline, SystemClock.bootNanoseconds() >= deadline { return false }
            do throws(ClientFailure) {
                let offset = try offset()
                vain = offset > furthest ? 0 : vain + 1
                furthest = max(furthest, offset)
                // A service that ended behind the last byte takes the file with no further bytes.
                if offset == file.length, try !isReceiving() { return true }
                if try send(from: offset, mayDiffer: conflicts < ContentStaging.conflictsAtMost) {
                    context.terminal.clearProgress()
                    return true
                }
                conflicts += 1
            } catch {
                context.terminal.clearProgress()
                vain += 1
                guard error.isTransient, vain < ContentStaging.vainAtMost else { throw error }
                try context.transport.pause(error.retryAfter ?? .seconds(1 << min(vain, 4)))
            }
        }
    }

    private func request(_ method: String) -> Request {
        var request = Request(method, path)
        request.headers = [(name: "Tus-Resumable", value: "1.0.0")]
        return request
    }

    /// The number of bytes that the service has.
    private func offset() throws(ClientFailure) -> Int64 {
        var request = request("HEAD")
        request.timeout = .seconds(60)
        let reply = try context.transport.send(request)
        guard let offset = reply["upload-offset"].flatMap({ Int64($0) }),
            (0...file.length).contains(offset)
        else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        return offset
    }

    private func isReceiving() throws(ClientFailure) -> Bool {
        let document = try context.get(ClientContext.path(id))
        return document["content"]?["state"] == "receiving"
    }

    /// Sends the bytes from an offset on.
    ///
    /// - Parameters:
    ///   - offset: the first byte.
    ///   - mayDiffer: whether the offset is asked for again if the service has another one.
    /// - Returns: whether the file is there.
    /// - Throws: `ClientFailure` where the service does not take them.
    private func send(from offset: Int64, mayDiffer: Bool) throws(ClientFailure) -> Bool {
        var request = request("PATCH")
        request.file = FileRange(file: file, offset: offset)
        request.headers += [
            (name: "Content-Type", value: "application/offset+octet-stream"),
            (name: "Upload-Offset", value: "\(offset)"),
        ]
        let (terminal, name, length) = (context.terminal, file.name, file.length)
        let meter = RateMeter(offset)
        let isShown = !context.isJSON
        let reply: Reply
        do throws(ClientFailure) {
            reply = try context.transport.exchange(request) { sent in
                guard isShown else { return }
                terminal.draw { columns in
                    let place = offset + sent
                    let staging = ProgressBar(
                        name: "staging \(name)", received: place, expected: length,
                        rate: meter.rate(place))
                    let sending = ProgressBar(
                        name: "sending \(name)", received: 0, expected: length)
                    return [staging.line(columns: columns), sending.line(columns: columns)]
                }
            }
        } catch {
            guard isShorter else { throw error }
            throw ClientFailure("\(file.path) has become shorter, so it cannot be sent")
        }
        if reply.status == 409, mayDiffer { return false }
        guard reply.status < 400 else { throw context.transport.refusal(reply) }
        guard reply["upload-offset"].flatMap({ Int64($0) }) == length else {
            throw ClientFailure(
                "the service has taken a part of the file (status \(reply.status))",
                isTransient: true)
        }
        return true
    }

    /// Whether the last byte of the file is not there any more.
    private var isShorter: Bool {
        var byte = [UInt8](repeating: 0, count: 1)
        guard file.length > 0 else { return false }
        let count = unsafe byte.withUnsafeMutableBytes {
            unsafe file.read(into: $0, from: file.length - 1)
        }
        return count != 1
    }
}
