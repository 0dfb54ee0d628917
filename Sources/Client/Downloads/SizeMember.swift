// The members of documents that are numbers of bytes; pure.
package import Base

/// Reads and prints the members that are sizes or rates, with one unit in all commands: `5MB` are
/// 5,000,000 bytes, and `5MiB` says that powers of 1024 are meant.
package enum SizeMember {
    private static let sizes: Set = [
        "max_bytes", "min_bytes", "count_of_bytes_client_expects_to_receive",
        "count_of_bytes_client_expects_to_send", "length",
    ]
    private static let rates: Set = ["max_bytes_per_second"]

    /// The value of a member in words, exactly; nil for a member that is no number of bytes.
    package static func text(_ name: String, _ value: JSON) -> String? {
        guard let bytes = value.integerValue, bytes >= 0 else { return nil }
        if rates.contains(name) { return ByteCount.print(bytes) + "/s" }
        return sizes.contains(name) ? ByteCount.print(bytes) : nil
    }

    /// The value of a member that a command line sets; nil for a member that is no number of bytes.
    ///
    /// - Throws: `ClientFailure` with exit status 2 for a text that is no size.
    package static func value(_ name: String, _ text: String) throws(ClientFailure) -> JSON? {
        guard !text.isEmpty, sizes.contains(name) || rates.contains(name) else { return nil }
        do throws(QuantityError) {
            let size = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
            return .integer(try ByteCount.parse(size))
        } catch {
            throw .usage("\(name): \(error)")
        }
    }
}
