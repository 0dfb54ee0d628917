// An object of a document, with layers of defaults for the members that it leaves out.

/// The members of an object, and layers of other objects that are read where it has none.
///
/// So the defaults of a batch are judged with each download without a copy, and an error names the
/// place of the value in the body.
package struct LayeredObject: Sendable {
    /// One object and its pointer in the document.
    package struct Layer: Sendable {
        /// The object.
        package let object: JSONObject
        /// The part of a member's pointer before its name.
        let prefix: String
        /// The place of each key, for an object of more than 16 members.
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

        /// Whether the layer has a member, even one that is null.
        package func has(_ key: String) -> Bool { position(of: key) != nil }

        func position(of key: String) -> Int? {
            guard let positions else { return object.position(of: key) }
            WorkMeter.add(1)
            return positions[KeyText(key)]
        }

        /// The pointer of a member: `~` and `/` are escaped, characters that a fragment may not
        /// have percent-encoded (RFC 6901 sections 3 and 6, RFC 3986 section 3.5).
        package func pointer(_ key: String) -> String {
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

    /// An empty object at the root, for errors about the document itself.
    package static let document = LayeredObject(Layer(JSONObject(), at: "#"))

    /// The object itself.
    package let own: Layer
    private let others: [Layer]

    /// Creates an object with layers of defaults.
    package init(_ own: Layer, over others: [Layer] = []) {
        self.own = own
        self.others = others
    }

    /// Whether the object or a layer beneath it has a member, even one that is null.
    package func has(_ key: String) -> Bool { own.has(key) || findBeneath(key) != nil }

    /// The object with one more layer beneath all others.
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

    /// The pointer of a member: of its value, or of the place where it is missing.
    package func pointer(_ key: String) -> String {
        guard !others.isEmpty, own.position(of: key) == nil else { return own.pointer(key) }
        return (findBeneath(key)?.layer ?? own).pointer(key)
    }
}
