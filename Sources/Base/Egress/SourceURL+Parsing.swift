// The strict reading of an absolute URL: reject, never repair.

extension SourceURL {
    /// Reads an absolute URL.
    ///
    /// - Parameter text: the URL; a fragment is dropped.
    /// - Throws: `SourceURLError` with the first fault.
    package init(parsing text: String) throws(SourceURLError) {
        try self.init(parsing: Array(text.utf8), from: text)
    }

    /// Reads an absolute URL of any bytes, as an origin may send it.
    init(parsing bytes: [UInt8]) throws(SourceURLError) {
        try self.init(parsing: bytes, from: "")
    }

    private init(parsing bytes: [UInt8], from text: String) throws(SourceURLError) {
        guard bytes.count <= Self.bytesMax else { throw SourceURLError(.tooLong) }
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") })
        else { throw SourceURLError(.invalidCharacter) }
        let (scheme, afterScheme) = try Self.scheme(of: bytes[...])
        let end =
            afterScheme.firstIndex { $0 == slash || $0 == question || $0 == numberSign }
            ?? afterScheme.endIndex
        let authority = afterScheme[..<end]
        guard !authority.contains(UInt8(ascii: "@")) else { throw SourceURLError(.userinfo) }
        let (host, address, rest) = try Self.host(of: authority)
        let port = try Self.port(of: rest) ?? scheme.defaultPort
        let target = Self.target(of: afterScheme[end...])
        self.init(
            scheme: scheme, host: host, port: port, target: target, address: address, from: text)
    }

    private static func scheme(
        of bytes: ArraySlice<UInt8>
    ) throws(SourceURLError) -> (Scheme, ArraySlice<UInt8>) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Scheme(bytes[..<colon])
        else { throw SourceURLError(.unsupportedScheme) }
        let rest = bytes[(colon + 1)...]
        let afterSlashes = rest.dropFirst(2)
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ $0 == slash }) else {
            throw SourceURLError(.malformed)
        }
        guard afterSlashes.first != slash else { throw SourceURLError(.malformed) }
        return (scheme, afterSlashes)
    }

    private static func host(
        of authority: ArraySlice<UInt8>
    ) throws(SourceURLError) -> (String, IPAddress?, ArraySlice<UInt8>) {
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")),
                let address = IPAddress(utf8: authority[(authority.startIndex + 1)..<close]),
                address.family == .v6
            else { throw SourceURLError(.invalidHost) }
            return (address.description, address, authority[(close + 1)...])
        }
        let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        var name = authority[..<colon]
        guard name.allSatisfy({ $0 < 0x80 }) else { throw SourceURLError(.hostNotASCII) }
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        guard HostName.isValid(name) else { throw SourceURLError(.invalidHost) }
        if HostName.endsInNumber(name) {
            guard let address = HostName.numericAddress(name) else {
                throw SourceURLError(.invalidHost)
            }
            return (address.description, address, authority[colon...])
        }
        let host = String(decoding: name, as: UTF8.self).lowercased()
        return (host, nil, authority[colon...])
    }

    private static func port(of text: ArraySlice<UInt8>) throws(SourceURLError) -> Int? {
        guard !text.isEmpty else { return nil }
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw SourceURLError(.invalidPort) }
        let port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (1...65535).contains(port) else { throw SourceURLError(.invalidPort) }
        return port
    }

    private static func target(of bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.firstIndex(of: numberSign) ?? bytes.endIndex
        let query = bytes[..<end].firstIndex(of: question) ?? end
        let path = bytes[bytes.startIndex..<query]
        let isPlain = path.first == slash && !PathSegments.mayHoldDots(path)
        let whole =
            isPlain ? bytes[..<end] : (PathSegments.withoutDots(path) + bytes[query..<end])[...]
        guard whole.contains(where: { $0 >= 0x80 }) else {
            return String(decoding: whole, as: UTF8.self)
        }
        return String(
            decoding: PathSegments.percentEncoded(whole) { $0 >= 0x80 }, as: UTF8.self)
    }
}

extension SourceURL.Scheme {
    /// The scheme of this name in letters of either case; nil for another one.
    fileprivate init?(_ name: ArraySlice<UInt8>) {
        guard name.count == 4 || name.count == 5 else { return nil }
        let scheme: SourceURL.Scheme = name.count == 4 ? .http : .https
        // An ASCII letter with this bit is small.
        guard zip(name, "https".utf8).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        self = scheme
    }
}

private let slash = UInt8(ascii: "/")
private let question = UInt8(ascii: "?")
private let numberSign = UInt8(ascii: "#")
