// The documents in the answers of object stores.
internal import XML

/// An element of a small XML document, without attributes.
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
        let builder = Builder()
        let limits = XMLLimits(bytes: bytesAtMost, depth: depthAtMost, elements: countAtMost)
        do throws(XMLFault) {
            try XMLReader.read(bytes, within: limits, to: builder)
            return builder.root
        } catch {
            return nil
        }
    }

    /// The elements that have begun and not ended.
    private final class Builder: XMLHandler {
        var root: XMLNode?
        let wantsText = true
        private var open: [XMLNode] = []

        func begin(
            _ name: String, _ attributes: [(name: String, value: String)], at offset: Int
        ) -> Bool {
            let local = name.split(separator: ":").last.map(String.init) ?? name
            open.append(XMLNode(name: local))
            return true
        }

        func end() {
            guard let node = open.popLast() else { return }
            if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
        }

        func text(_ piece: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += piece
        }
    }
}
