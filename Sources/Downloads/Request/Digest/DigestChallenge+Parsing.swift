// Reads `WWW-Authenticate` fields, each of which may have several challenges.
package import Base

extension DigestChallenge {
    /// The strongest challenge of the scheme Digest that can be answered.
    ///
    /// - Parameter fields: the values of all `WWW-Authenticate`.
    /// - Returns: one with SHA-256 before one with MD5; nil for none.
    package static func best(in fields: [FieldValue]) -> DigestChallenge? {
        let challenges = fields.flatMap { read($0.bytes) }
        return challenges.first { $0.algorithm == .sha256 } ?? challenges.first
    }

    /// The challenges of one field (RFC 9110 section 11.6.1), without those of other schemes and
    /// those that cannot be answered.
    private static func read(_ field: [UInt8]) -> [DigestChallenge] {
        var challenges: [DigestChallenge] = []
        var scheme = ""
        var parameters: [String: [UInt8]] = [:]
        func end() {
            guard scheme == "digest", let challenge = DigestChallenge(parameters) else { return }
            challenges.append(challenge)
        }
        for element in elements(of: field) {
            var rest = element
            // A scheme is followed by a blank, or by nothing.
            let word = rest.prefix(while: HeaderFieldRules.isTokenByte)
            let behind = rest[word.endIndex...]
            let next = behind.drop { $0 == 0x20 || $0 == 0x09 }
            if !word.isEmpty, next.first != UInt8(ascii: "=") {
                end()
                (scheme, parameters) = (String(decoding: word, as: UTF8.self).lowercased(), [:])
                rest = next
            }
            guard let sign = rest.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: Cookie.trimmed(rest[..<sign]), as: UTF8.self).lowercased()
            if parameters[name] == nil { parameters[name] = value(rest[(sign + 1)...]) }
        }
        end()
        return challenges
    }

    /// The comma-separated parts without quoted commas, without blanks around them.
    private static func elements(of field: [UInt8]) -> [ArraySlice<UInt8>] {
        var elements: [ArraySlice<UInt8>] = []
        var (start, isQuoted, isEscaped) = (0, false, false)
        for (place, byte) in field.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                elements.append(Cookie.trimmed(field[start..<place]))
                start = place + 1
            }
        }
        elements.append(Cookie.trimmed(field[start...]))
        return elements.filter { !$0.isEmpty }
    }

    /// A token, or a quoted string without its quotes and escapes.
    private static func value(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let text = Cookie.trimmed(text)
        guard text.first == UInt8(ascii: "\"") else { return Array(text) }
        var (value, isEscaped): ([UInt8], Bool) = ([], false)
        for byte in text.dropFirst() {
            if isEscaped {
                value.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                value.append(byte)
            }
        }
        return value
    }

    /// Reads a challenge from its parameters; nil if it cannot be answered.
    private init?(_ parameters: [String: [UInt8]]) {
        guard let realm = parameters["realm"], let nonce = parameters["nonce"] else { return nil }
        let words = { (name: String) in
            String(decoding: parameters[name] ?? [], as: UTF8.self).lowercased()
        }
        algorithmName = parameters["algorithm"]
        var name = algorithmName == nil ? "md5" : words("algorithm")
        isOfSession = name.hasSuffix("-sess")
        if isOfSession { name.removeLast(5) }
        switch name {
        case "md5": algorithm = .md5
        case "sha-256": algorithm = .sha256
        default: return nil
        }
        let offers = words("qop").split { $0 == "," || $0 == " " || $0 == "\t" }
        // `auth-int` without `auth` is not answered.
        guard offers.isEmpty || offers.contains("auth") else { return nil }
        hasProtection = !offers.isEmpty
        (self.realm, self.nonce, opaque) = (realm, nonce, parameters["opaque"])
        (hidesName, isStale) = (words("userhash") == "true", words("stale") == "true")
        let sentBack = realm + nonce + (opaque ?? []) + (algorithmName ?? [])
        guard !sentBack.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) else {
            return nil
        }
    }
}
