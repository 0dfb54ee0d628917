// The token of a trigger, which is shown once and stored nowhere.
internal import Base
internal import Crypto

/// A token: `ltr_` and 32 random bytes as base64url without padding.
enum TriggerToken {
    private static let prefix = "ltr_"
    private static let bytes = 32

    /// A new token.
    static func make() -> String {
        let text = Base64.encode(SecureRandom.bytes(bytes))
        let digits = text.replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
        return prefix + digits
    }

    /// The digest by which a token is stored and looked up, so that nothing secret is compared.
    ///
    /// - Returns: nil for a text that cannot be a token.
    static func digest(_ token: String) -> [UInt8]? {
        let isForm =
            token.hasPrefix(prefix) && token.utf8.count == prefix.utf8.count + 43
            && token.utf8.dropFirst(prefix.utf8.count).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isForm ? SHA256.digest(of: "lull trigger " + token) : nil
    }
}
