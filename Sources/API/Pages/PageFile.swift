// The files of the page, compiled in.
internal import Crypto
internal import Embedded

/// A file of the page.
struct PageFile: Sendable {
    /// All files of the page.
    static let all = EmbeddedFiles.names.filter { $0.hasPrefix("page/") }.map {
        PageFile(String($0.dropFirst(5)), EmbeddedFiles.bytes($0))
    }

    /// The document, which every view of the page begins with.
    static let document = named("index.html")

    /// The media types that files of the page may have.
    enum Kind: String, CaseIterable, Sendable {
        case html = "text/html"
        case css = "text/css"
        case script = "text/javascript"
        case image = "image/svg+xml"
    }

    private static let kinds: [Substring: Kind] = [
        "html": .html, "css": .css, "js": .script, "svg": .image,
    ]

    /// The last part of its path.
    let name: String
    /// Its media type.
    let kind: Kind
    /// Its content as it is sent.
    let bytes: [UInt8]
    /// A weak tag, because the content may be sent compressed: the first half of its SHA-256.
    let tag: EntityTag

    private init(_ name: String, _ bytes: [UInt8]) {
        guard let ending = name.split(separator: ".").last, let kind = PageFile.kinds[ending] else {
            preconditionFailure("\(name) has no known kind")
        }
        self.name = name
        self.kind = kind
        self.bytes = [Kind.script, .css].contains(kind) ? PageFile.withoutComments(bytes) : bytes
        tag = .weak(Hex.encode(Array(SHA256.digest(of: self.bytes).prefix(16))))
    }

    /// A script or style sheet without indentation, empty lines, and lines that are comments alone.
    ///
    /// They are for readers of the source, and would be a sixth of all bytes of the page. A comment
    /// of several lines begins and ends with lines of its own, and no template literal has a line
    /// end in its text.
    private static func withoutComments(_ source: [UInt8]) -> [UInt8] {
        var isInside = false
        var sent = ""
        for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
            let words = line.drop { $0 == " " }
            let isComment = isInside || words.hasPrefix("/*")
            isInside = isComment && !words.hasSuffix("*/")
            if isComment || words.hasPrefix("//") { continue }
            sent.append(contentsOf: words)
            sent.append("\n")
        }
        return Array(sent.utf8)
    }

    private static func named(_ name: String) -> PageFile {
        guard let file = all.first(where: { $0.name == name }) else {
            preconditionFailure("the page has the file \(name)")
        }
        return file
    }

    /// The header fields of every answer with a file, and of its 304.
    ///
    /// The page runs only the scripts in its files, talks to its own service alone, and no page of
    /// another site can hold it in a frame or a window.
    var headers: [(String, String)] {
        [
            ("ETag", tag.text), ("Content-Type", kind.rawValue + "; charset=utf-8"),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Content-Security-Policy", PageFile.policy),
        ]
    }

    /// The Content Security Policy of the page (CSP level 3, Trusted Types).
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "media-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
}
