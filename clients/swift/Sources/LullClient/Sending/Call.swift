import Foundation

/// One request of the API, before it has a server.
struct Call: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
        case head = "HEAD"
        case options = "OPTIONS"
    }

    let method: Method
    /// The operation's name in openapi.yaml.
    let operation: String
    /// Whether a second request with the same bytes changes nothing more.
    let mayRepeat: Bool
    private(set) var path: String
    private(set) var fields: [String: String] = [:]
    private(set) var body: Data?
    /// Seconds for which the service may hold the answer.
    private(set) var heldSeconds = 0
    private var hasQuery = false

    init(_ method: Method, _ segments: [String], operation: String, mayRepeat: Bool) {
        self.method = method
        self.operation = operation
        self.mayRepeat = mayRepeat
        path = segments.map { "/" + Call.escaped($0) }.joined()
        if path.isEmpty { path = "/" }
    }

    /// Percent-encodes all but unreserved characters (RFC 3986).
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    private mutating func append(_ name: String, _ value: String) {
        path += (hasQuery ? "&" : "?") + name + "=" + Call.escaped(value)
        hasQuery = true
    }

    mutating func query(_ name: String, _ value: String?) {
        if let value { append(name, value) }
    }

    mutating func query(_ name: String, _ value: Int?) {
        guard let value else { return }
        if name == "wait" { heldSeconds = max(0, value) }
        append(name, String(value))
    }

    mutating func query(_ name: String, _ value: Bool?) {
        if let value { append(name, value ? "true" : "false") }
    }

    mutating func query(_ name: String, _ value: Date?) {
        if let value { append(name, Instant.text(value)) }
    }

    mutating func query(_ name: String, _ value: (some OpenWord)?) {
        if let value { append(name, value.rawValue) }
    }

    mutating func query(_ name: String, _ value: [String]?) {
        if let value { append(name, value.joined(separator: ",")) }
    }

    mutating func query(_ name: String, _ value: [some OpenWord]?) {
        query(name, value?.map(\.rawValue))
    }

    mutating func query(_ name: String, _ value: [String: String]?) {
        for (key, text) in (value ?? [:]).sorted(by: { $0.key < $1.key }) {
            append("\(Call.escaped(name))%5B\(Call.escaped(key))%5D", text)
        }
    }

    mutating func field(_ name: String, _ value: String?) {
        guard let value else { return }
        if name == "Prefer", let seconds = Int(value.dropFirst("wait=".count)) {
            heldSeconds = max(0, seconds)
        }
        fields[name] = value
    }

    /// A key by which the service takes repetitions of this call for one; one is made without it.
    mutating func key(_ key: String?) {
        fields["Idempotency-Key"] = key ?? UUID().uuidString.lowercased()
    }

    mutating func body(_ value: (some Encodable)?, type: String) throws(LullError) {
        guard let value else { return }
        bytes(try JSONForm.written(value), type: type)
    }

    mutating func bytes(_ data: Data, type: String) {
        body = data
        fields["Content-Type"] = type
    }
}
