// The documents in the answers of object stores.
internal import CExpat

/// An element of a small XML document, without attributes; see libexpat's reference.
struct XMLNode: Equatable {
    /// The name without a prefix.
    var name: String
    /// The text directly inside.
    var text = ""
    /// The elements inside, in order.
    var children: [XMLNode] = []

    /// The text of the first element inside with a name; nil without one.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// The elements inside with a name.
    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The most bytes of a document.
    static let bytesAtMost = 4 << 20
    /// The most elements inside each other.
    static let depthAtMost = 16
    /// The most elements of a document.
    static let countAtMost = 100_000

    /// The root of a document.
    ///
    /// A document type, with which entities could be defined, is refused.
    ///
    /// - Returns: nil if the bytes are no document, or one beyond the bounds.
    static func root(of bytes: [UInt8]) -> XMLNode? {
        guard !bytes.isEmpty, bytes.count <= bytesAtMost,
            let parser = unsafe XML_ParserCreate(nil)
        else { return nil }
        defer { unsafe XML_ParserFree(parser) }
        let builder = Builder()
        return withExtendedLifetime(builder) {
            unsafe XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
            unsafe XML_SetElementHandler(
                parser,
                { data, name, _ in unsafe Builder.of(data)?.start(name) },
                { data, _ in unsafe Builder.of(data)?.end() })
            unsafe XML_SetCharacterDataHandler(parser) { unsafe Builder.of($0)?.add($1, $2) }
            unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
                unsafe Builder.of(data)?.isRefused = true
            }
            let status = unsafe bytes.withUnsafeBytes {
                unsafe XML_Parse(
                    parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32($0.count), 1)
            }
            return status == XML_STATUS_OK && !builder.isRefused ? builder.root : nil
        }
    }

    /// The elements that have begun and not ended.
    private final class Builder {
        var root: XMLNode?
        var isRefused = false
        private var open: [XMLNode] = []
        private var count = 0

        static func of(_ data: UnsafeMutableRawPointer?) -> Builder? {
            guard let data = unsafe data else { return nil }
            return unsafe Unmanaged<Builder>.fromOpaque(data).takeUnretainedValue()
        }

        func start(_ name: UnsafePointer<CChar>?) {
            count += 1
            if count > XMLNode.countAtMost || open.count >= XMLNode.depthAtMost { isRefused = true }
            guard !isRefused, let name = unsafe name else { return }
            let full = unsafe String(cString: name)
            let local = full.split(separator: ":").last.map(String.init) ?? full
            open.append(XMLNode(name: local))
        }

        func end() {
            guard !isRefused, let node = open.popLast() else { return }
            if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
        }

        func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
            guard !isRefused, !open.isEmpty, let text = unsafe text else { return }
            let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(count))
            let decoded = unsafe String(
                decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            open[open.count - 1].text += decoded
        }
    }
}
