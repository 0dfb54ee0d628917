// The digest that the client expects.
package import Base

/// A digest: an algorithm and its hexadecimal digits, as in `sha256:9f86…`.
package struct ExpectedDigest: Equatable, Sendable {
    /// The algorithm of the digest.
    package let algorithm: DigestAlgorithm
    /// Lower-case hexadecimal digits, as many as the algorithm has.
    package let hexadecimal: String

    /// Reads the forms in which digests are published: `sha256:` and digits, `sha256-` and base 64
    /// (Subresource Integrity), a line of `sha256sum` and its kind with or without `--tag`, and
    /// the digits alone, whose number tells the algorithm.
    ///
    /// - Throws: `DigestError` with the sentence that says what is wrong.
    package init(_ text: String) throws(DigestError) {
        let (algorithm, digits) = try ExpectedDigest.parts(of: text)
        guard digits.utf8.count == algorithm.digitCount else {
            throw DigestError(
                "\(algorithm.rawValue) needs \(algorithm.digitCount) hexadecimal digits, but has "
                    + "\(digits.utf8.count)")
        }
        guard digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            throw DigestError("\(algorithm.rawValue) needs hexadecimal digits only")
        }
        self.algorithm = algorithm
        hexadecimal = digits
    }

    private static func parts(
        of text: String
    ) throws(DigestError) -> (algorithm: DigestAlgorithm, digits: String) {
        let lowered = text.lowercased()
        for algorithm in DigestAlgorithm.allCases {
            let name = algorithm.rawValue
            if lowered.hasPrefix(name + ":") {
                return (algorithm, String(lowered.dropFirst(name.utf8.count + 1)))
            }
            if lowered.hasPrefix(name + "-") {
                return (algorithm, try digits(of: algorithm, integrity: text))
            }
            if lowered.hasPrefix(name + " ("), let sign = lowered.lastIndex(of: "="),
                lowered[..<sign].hasSuffix(") ")
            {
                return (algorithm, String(lowered[sign...].dropFirst(2)))
            }
        }
        // coreutils put a backslash before a line whose name is escaped.
        let line = lowered.hasPrefix("\\") ? lowered.dropFirst() : lowered[...]
        let digits = line.prefix { $0.isASCII && $0.isHexDigit }
        let rest = line[digits.endIndex...]
        let isLine =
            (rest.hasPrefix("  ") || rest.hasPrefix(" *"))
            && !rest.dropLast().contains(where: \.isNewline)
        if rest.isEmpty || isLine && rest.utf8.count > 2,
            let algorithm = DigestAlgorithm.ofSum(digitCount: digits.utf8.count)
        {
            return (algorithm, String(digits))
        }
        throw DigestError(
            "must be \"sha256:\" and 64 hexadecimal digits; other forms are sha512, sha1, md5, "
                + "crc32c, crc32 or crc64nvme in place of sha256, sha256-BASE64, and a line of "
                + "sha256sum")
    }

    /// The digits of one hash of an `integrity` attribute (Subresource Integrity, W3C).
    private static func digits(
        of algorithm: DigestAlgorithm, integrity text: String
    ) throws(DigestError) -> String {
        let value = text.dropFirst(algorithm.rawValue.utf8.count + 1)
        guard let bytes = Base64.decode(String(value)),
            let digest = ExpectedDigest(algorithm, bytes: bytes)
        else {
            throw DigestError(
                "\(algorithm.rawValue)- needs the base64 of \(algorithm.digitCount / 2) bytes")
        }
        return digest.hexadecimal
    }

    /// Takes the bytes of a digest.
    ///
    /// - Returns: nil if the algorithm's digests have another length.
    package init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        guard bytes.count * 2 == algorithm.digitCount else { return nil }
        self.algorithm = algorithm
        let digits = Array("0123456789abcdef".utf8)
        hexadecimal = String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// The text form, lower-case.
    package var text: String { "\(algorithm.rawValue):\(hexadecimal)" }
}

extension ExpectedDigest? {
    /// Whether the digest reveals a mixture of versions.
    package var provesContent: Bool { self?.algorithm.provesContent ?? false }
}

extension DigestAlgorithm {
    /// The algorithm of the sum program that prints so many digits.
    fileprivate static func ofSum(digitCount: Int) -> DigestAlgorithm? {
        [.sha256, .sha512, .sha1, .md5].first { $0.digitCount == digitCount }
    }
}

extension ExpectedDigest: MemberValue {
    /// Reads the text form.
    package init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        do throws(DigestError) { try self.init(text) } catch { return nil }
    }

    /// Writes the text form.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(text) }
}
