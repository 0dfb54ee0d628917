internal import Base
internal import Crypto

/// The text of a key: `lull_` and 64 hexadecimal digits, 256 random bits.
package enum APIKeyText {
    /// A new key.
    package static func make() -> String { "lull_" + Hex.encode(SecureRandom.bytes(32)) }

    /// The digest that the database stores, 32 bytes.
    package static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: text) }
}
