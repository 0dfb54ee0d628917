// The requests to a service, and its answers.
internal import Base
internal import HTTPWire

/// A request of the API.
struct Request {
    var method = "GET"
    /// The path from `/v1/` on, with encoded segments.
    var path: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: JSON?
    /// The bytes of a file that are sent in place of `body`; nil for none.
    var file: FileRange?
    /// The time limit of the whole exchange; nil for no limit except that on silence.
    var timeout: Duration?

    init(_ method: String = "GET", _ path: String, body: JSON? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }

    /// The path with its query.
    var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { Request.encoded($0.name) + "=" + Request.encoded($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }

    /// A segment or value with every character escaped but letters, digits, `-`, `.`, `_` and `~`.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
                || byte == 0x2d || byte == 0x2e || byte == 0x5f || byte == 0x7e
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (byte < 16 ? "0" : "") + digits
            }
        }
        return result
    }
}

/// An answer of the service.
struct Reply {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The value of a header field; the name is given in lower case.
    subscript(_ name: String) -> String? { headers.last { $0.name == name }?.value }

    /// Parses the body as JSON.
    ///
    /// - Throws: `ClientFailure` where it is none: then another program answers.
    func json() throws(ClientFailure) -> JSON {
        do throws(JSONError) {
            let limits = JSONLimits(bytes: 64 << 20, values: 4_000_000, memory: 256 << 20)
            return try JSON.parse(body, limits: limits)
        } catch {
            throw ClientFailure(
                "the program that answers there is not Lull: its answer is not JSON (status "
                    + "\(status))",
                .notReached)
        }
    }
}
