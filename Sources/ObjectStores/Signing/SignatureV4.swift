// Signatures of requests to Amazon S3 and to the stores that speak its protocol.
package import Base
internal import Crypto

/// AWS Signature Version 4, see "Signature Version 4 for API requests" in the AWS reference.
package struct SignatureV4: Sendable {
    /// The ways in which services spell the path of the request that is signed.
    package enum PathRule: Sendable {
        /// Encoded once, and nothing is left out: S3, where a key may hold `//` and `..`.
        case verbatim
        /// Without dot segments and repeated slashes, and encoded once more: other services.
        case normalized

        /// The rule of a service.
        package init(service: String) {
            let isStore = ["s3", "s3express", "s3-outposts", "s3-object-lambda"].contains(service)
            self = isStore ? .verbatim : .normalized
        }
    }

    /// The keys.
    package var credentials: SigningCredentials
    /// The region, such as `eu-central-1`.
    package var region: String
    /// The service, such as `s3`.
    package var service: String
    /// The spelling of paths.
    package var paths: PathRule
    /// The time of the request.
    package var time: Timestamp

    /// Creates a signature's terms; the spelling of paths is that of the service.
    package init(
        _ credentials: SigningCredentials, region: String, service: String = "s3",
        at time: Timestamp
    ) {
        self.credentials = credentials
        self.region = region
        self.service = service
        self.time = time
        paths = PathRule(service: service)
    }

    /// The header fields that a request has to carry in addition to its own ones.
    ///
    /// - Parameters:
    ///   - method: such as `PUT`.
    ///   - url: the URL as it is requested.
    ///   - headers: the fields to sign; the request has to carry them as they are.
    ///   - payloadHash: the SHA-256 of the body, 64 hexadecimal digits.
    /// - Returns: `X-Amz-Date`, `X-Amz-Security-Token` and `X-Amz-Content-SHA256` where they are
    ///   needed, and `Authorization`.
    package func fields(
        method: String, url: SourceURL, headers: [(name: String, value: String)],
        payloadHash: String
    ) -> [(name: String, value: String)] {
        var added = [(name: "X-Amz-Date", value: instant)]
        if paths == .verbatim { added.append(("X-Amz-Content-SHA256", payloadHash)) }
        if let token = credentials.sessionToken { added.append(("X-Amz-Security-Token", token)) }
        let fields = Fields(headers + added, host: host(of: url))
        let (path, query) = target(of: url)
        let signature = signature(
            of: canonical(
                method, path, CanonicalText.query(query).joined(separator: "&"), fields,
                payloadHash))
        let authorization =
            "\(SignatureV4.algorithm) Credential=\(credentials.accessKey)/\(scope), "
            + "SignedHeaders=\(fields.names), Signature=\(signature)"
        return added + [("Authorization", authorization)]
    }

    /// A URL that anybody may request for a time, by the signature in its query.
    ///
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - url: the URL without a signature.
    ///   - headers: further fields to sign, which the request has to carry.
    ///   - seconds: the validity, 1 to 604,800.
    /// - Returns: the URL with its query in the canonical spelling.
    package func presigned(
        method: String, url: SourceURL, headers: [(name: String, value: String)] = [],
        seconds: Int
    ) -> String {
        let fields = Fields(headers, host: host(of: url))
        let (path, given) = target(of: url)
        var query = given.isEmpty ? [] : [String(given)]
        func add(_ name: String, _ value: String) {
            query.append("\(name)=\(CanonicalText.encoded(value.utf8))")
        }
        add("X-Amz-Algorithm", SignatureV4.algorithm)
        add("X-Amz-Credential", "\(credentials.accessKey)/\(scope)")
        add("X-Amz-Date", instant)
        add("X-Amz-Expires", String(seconds))
        add("X-Amz-SignedHeaders", fields.names)
        if let token = credentials.sessionToken { add("X-Amz-Security-Token", token) }
        let parameters = CanonicalText.query(query.joined(separator: "&")[...])
            .joined(separator: "&")
        let payloadHash = paths == .verbatim ? "UNSIGNED-PAYLOAD" : SignatureV4.emptyHash
        let signature = signature(of: canonical(method, path, parameters, fields, payloadHash))
        return "\(url.scheme.rawValue)://\(host(of: url))\(path)?\(parameters)"
            + "&X-Amz-Signature=\(signature)"
    }

    /// The SHA-256 of no bytes.
    package static let emptyHash = Hex.encode(SHA256.digest(of: []))

    private static let algorithm = "AWS4-HMAC-SHA256"

    /// The signed fields in their canonical spelling.
    private struct Fields {
        let names: String
        let lines: String

        init(_ headers: [(name: String, value: String)], host: String) {
            var values = ["host": host]
            for (name, value) in headers {
                let (name, value) = (name.lowercased(), CanonicalText.value(value))
                values[name] = values[name].map { "\($0),\(value)" } ?? value
            }
            let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            names = sorted.map(\.key).joined(separator: ";")
            lines = sorted.map { "\($0.key):\($0.value)\n" }.joined()
        }
    }

    private func canonical(
        _ method: String, _ path: Substring, _ query: String, _ fields: Fields, _ hash: String
    ) -> String {
        [method, CanonicalText.path(path, paths), query, fields.lines, fields.names, hash]
            .joined(separator: "\n")
    }

    private func signature(of canonical: String) -> String {
        let text = [
            SignatureV4.algorithm, instant, scope,
            Hex.encode(SHA256.digest(of: canonical)),
        ].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for step in [day, region, service, "aws4_request", text] {
            key = HMAC.sha256(key: key, message: Array(step.utf8))
        }
        return Hex.encode(key)
    }

    private var scope: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// The time as `20261127T233000Z`.
    private var instant: String {
        let time = time.civil()
        return "\(day)T\(two(time.hour))\(two(time.minute))\(two(time.second))Z"
    }

    private var day: String {
        let date = time.civil().date
        return two(date.year / 100) + two(date.year % 100) + two(date.month) + two(date.day)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The value of `Host`.
    private func host(of url: SourceURL) -> String {
        let isUsual = url.port == url.scheme.defaultPort
        return isUsual ? url.authorityHost : "\(url.authorityHost):\(url.port)"
    }

    private func target(of url: SourceURL) -> (path: Substring, query: Substring) {
        let target = url.target[...]
        guard let mark = target.firstIndex(of: "?") else { return (target, "") }
        return (target[..<mark], target[target.index(after: mark)...])
    }
}
