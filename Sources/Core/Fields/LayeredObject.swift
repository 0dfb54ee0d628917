// An object of a document, and what stands in for the members that it leaves out.

/// The members of an object, before those of others that count where it has none.
///
/// So the defaults of a batch are judged with each download without being copied into it, and a
/// finding names the place in the body where the value stands.
package struct LayeredObject: Sendable {
    /// An object and where it stands.
    package struct Layer: Sendable {
        let object: JSONObject
        /// What comes before the name of a member in its pointer.
        let prefix: String
        /// Where each key stands, for an object of many members.
        fileprivate let positions: [KeyText: Int]?

        /// An object that stands at a pointer, `#` for the document.
        package init(_ object: JSONObject, at path: String) {
            self.init(object, prefix: path + "/")
        }

        /// An object whose members are named by a prefix alone, such as `?` for parameters.
        package init(_ object: JSONObject, prefix: String) {
            self.object = object
            self.prefix = prefix
            positions = object.count > 16 ? object.positions() : nil
        }

        /// Whether it has a member, even one that is null.
        package func has(_ key: String) -> Bool { position(of: key) != nil }

        func position(of key: String) -> Int? {
            guard let positions else { return object.position(of: key) }
            WorkMeter.add(1)
            return positions[KeyText(key)]
        }

        /// The pointer of a member: `~` and `/` escaped, and percent-encoded what may not stand in
        /// a fragment (RFC 6901 sections 3 and 6, RFC 3986 section 3.5).
        func pointer(_ key: String) -> String {
            if key.utf8.count <= 64, key.utf8.allSatisfy(Layer.isPlain) { return prefix + key }
            var bytes = Array(prefix.utf8)
            for byte in key.cut(to: 256).utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += "~0".utf8
                case UInt8(ascii: "/"): bytes += "~1".utf8
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    bytes.append(byte)
                case _ where "-._!$&'()*+,;=:@?".utf8.contains(byte): bytes.append(byte)
                default:
                    let digits = String(byte, radix: 16, uppercase: true)
                    bytes += ((byte < 16 ? "%0" : "%") + digits).utf8
                }
            }
            WorkMeter.add(bytes.count)
            return String(decoding: bytes, as: UTF8.self)
        }

        private static func isPlain(_ byte: UInt8) -> Bool {
            (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "_")
        }
    }

    /// Members that stand in the document itself.
    package static let document = LayeredObject(Layer(JSONObject(), at: "#"))

    /// The object itself.
    package let own: Layer
    private let others: [Layer]

    /// An object before others.
    package init(_ own: Layer, over others: [Layer] = []) {
        self.own = own
        self.others = others
    }

    /// Whether it has a member, even one that is null, by itself or from beneath.
    package func has(_ key: String) -> Bool { own.has(key) || findBeneath(key) != nil }

    /// The same with one more layer beneath all others.
    package func over(_ layer: Layer) -> LayeredObject {
        LayeredObject(own, over: others + [layer])
    }

    /// The layer below that has a member, even one that is null, and its place there.
    func findBeneath(_ key: String) -> (layer: Layer, position: Int)? {
        for layer in others {
            if let position = layer.position(of: key) { return (layer, position) }
        }
        return nil
    }

    /// The pointer of a member: where it stands, or where it is missing.
    package func pointer(_ key: String) -> String {
        guard !others.isEmpty, own.position(of: key) == nil else { return own.pointer(key) }
        return (findBeneath(key)?.layer ?? own).pointer(key)
    }
}
