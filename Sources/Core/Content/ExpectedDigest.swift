// The digest that the client expects.

/// A digest in the form `sha256:` (or `sha512:`, `md5:`) and its hexadecimal digits, as the sum
/// programs of coreutils print them.
package struct ExpectedDigest: Equatable, Sendable {
    /// How it was computed.
    package let algorithm: DigestAlgorithm
    /// Lower-case hexadecimal digits, as many as the algorithm has.
    package let hexadecimal: String

    /// Reads the form above.
    ///
    /// - Throws: what is wrong, one sentence.
    package init(_ text: String) throws(DigestError) {
        let lowered = text.lowercased()
        guard
            let algorithm = DigestAlgorithm.allCases.first(where: {
                lowered.hasPrefix($0.rawValue + ":")
            })
        else {
            throw DigestError(
                "must be \"sha256:\" and 64 hexadecimal digits; sha512 and md5 are known too")
        }
        let digits = lowered.dropFirst(algorithm.rawValue.utf8.count + 1)
        guard digits.utf8.count == algorithm.digitCount else {
            throw DigestError(
                "\(algorithm.rawValue) needs \(algorithm.digitCount) hexadecimal digits, got "
                    + "\(digits.utf8.count)")
        }
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw DigestError("\(algorithm.rawValue) needs hexadecimal digits only")
        }
        self.algorithm = algorithm
        hexadecimal = String(digits)
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

extension ExpectedDigest: MemberValue {
    /// Reads the text form.
    package init?(stored value: StoredJSON) {
        guard let text = value.stringValue else { return nil }
        do throws(DigestError) { try self.init(text) } catch { return nil }
    }

    /// Writes the text form.
    package func write(to writer: inout JSONWriter, as form: MemberForm) { writer.write(text) }
}
