// openapi.yaml as the tests of the routes read it.
import Testing

@testable import API

/// The operations of openapi.yaml.
///
/// Reads block mappings and sequences; an inline value stays text.
struct OpenAPIDocument {
    /// A part of the document.
    indirect enum Node {
        case text(String)
        case map([(key: String, value: Node)])
        case list([Node])

        subscript(key: String) -> Node? {
            guard case .map(let members) = self else { return nil }
            return members.first { $0.key == key }?.value
        }

        var text: String? { if case .text(let text) = self { text } else { nil } }

        var keys: [String] {
            guard case .map(let members) = self else { return [] }
            return members.map(\.key)
        }

        var items: [Node] { if case .list(let items) = self { items } else { [] } }
    }

    /// A parameter: its name and `path`, `query` or `header`.
    struct Place: Hashable, CustomStringConvertible {
        let name: String
        let place: String

        var description: String { "\(place) \(name)" }
    }

    /// An operation with everything that a route declares too.
    struct Operation {
        let method: String
        let path: String
        let name: String
        /// The scope; nil for an operation that needs no key.
        let scope: String?
        /// The scope that opens it as well; nil for none.
        let otherScope: String?
        let parameters: Set<Place>
        /// The members of its answers that a key sees that may not read downloads; nil if the
        /// document does not list them.
        let unread: [String]?
        /// The media types of the request's body.
        let body: Set<String>
        /// The media types of each answer, by its status or `4XX` and `5XX`.
        let answers: [String: Set<String>]
    }

    let root: Node

    /// Reads the document that is compiled in.
    init() {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        var lines = text.split(separator: "\n").map { line in
            (indent: line.prefix { $0 == " " }.count, text: String(line.drop { $0 == " " }))
        }[...]
        root = OpenAPIDocument.read(&lines, indent: 0)
    }

    /// The operations below `paths`.
    func operations() throws -> [Operation] {
        var found: [Operation] = []
        let paths = try #require(root["paths"])
        for path in paths.keys {
            let item = try #require(paths[path])
            let shared = item["parameters"]?.items ?? []
            for method in item.keys where method != "parameters" {
                let operation = try #require(item[method])
                found.append(try read(operation, method, path, shared: shared))
            }
        }
        return found
    }

    private func read(
        _ operation: Node, _ method: String, _ path: String, shared: [Node]
    ) throws -> Operation {
        var answers: [String: Set<String>] = [:]
        let responses = try #require(operation["responses"])
        for status in responses.keys {
            answers[status] = Set(try resolve(responses[status])?["content"]?.keys ?? [])
        }
        let places = try (shared + (operation["parameters"]?.items ?? [])).map { node in
            let parameter = try #require(try resolve(node))
            return Place(
                name: try #require(parameter["name"]?.text),
                place: try #require(parameter["in"]?.text))
        }
        let security = try #require(operation["security"]?.text, "\(method) \(path)")
        let scopes = security.matches(of: /bearer: \["([a-z:]+)"\]/).map { String($0.1) }
        let scope = scopes.first
        let isOpen = ["[]", "[{bearer: []}, {}]"].contains(security)
        #expect(scope != nil || isOpen, "\(method) \(path)")
        return Operation(
            method: method.uppercased(), path: path,
            name: try #require(operation["operationId"]?.text), scope: scope,
            otherScope: scopes.dropFirst().first, parameters: Set(places),
            unread: operation["x-unread"]?.text.map { text in
                text.matches(of: /[a-z_]+/).map { String($0.0) }
            },
            body: Set(try resolve(operation["requestBody"])?["content"]?.keys ?? []),
            answers: answers)
    }

    /// The part that a reference points to, or the part itself.
    private func resolve(_ node: Node?) throws -> Node? {
        guard let text = node?.text,
            let reference = text.firstMatch(of: /\$ref: "#\/([^"]+)"/)?.1
        else { return node }
        return try reference.split(separator: "/").reduce(root) { part, name in
            try #require(part[String(name)], "\(reference)")
        }
    }

    private typealias Lines = ArraySlice<(indent: Int, text: String)>

    private static func read(_ lines: inout Lines, indent: Int) -> Node {
        var members: [(String, Node)] = []
        var items: [Node] = []
        while let line = lines.first, line.indent >= indent {
            if line.text.hasPrefix("- ") {
                let rest = String(line.text.dropFirst(2))
                lines.removeFirst()
                guard member(rest) != nil else {
                    items.append(.text(rest))
                    continue
                }
                lines = [(line.indent + 2, rest)] + lines
                items.append(read(&lines, indent: line.indent + 2))
            } else {
                lines.removeFirst()
                guard let (key, value) = member(line.text) else { continue }
                if value.isEmpty {
                    members.append((key, read(&lines, indent: line.indent + 1)))
                } else {
                    // The lines of a block scalar are indented deeper.
                    while let next = lines.first, next.indent > line.indent { lines.removeFirst() }
                    members.append((key, .text(value)))
                }
            }
        }
        return items.isEmpty ? .map(members) : .list(items)
    }

    /// Takes `key: value` apart.
    private static func member(_ text: String) -> (key: String, value: String)? {
        guard let match = text.wholeMatch(of: /("[^"]+"|[^\s{\["'#][^:\s]*):( .*)?/) else {
            return nil
        }
        let key = String(match.1).replacing("\"", with: "")
        return (key, String(match.2 ?? "").trimmingPrefix(" ").description)
    }
}
