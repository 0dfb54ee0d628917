// Checks that a text names a database; see chapter 34.1.1 of the manual.
internal import CPostgres
internal import Glibc

extension ConnectionOptions {
    /// Returns the error of a URL or a keyword/value string, without connecting.
    ///
    /// - Returns: a sentence that quotes nothing of the text, because any part of it may be a piece
    ///   of a password; nil if libpq can read it and nothing looks like a misplaced password.
    package static func complaint(about url: String) -> String? {
        let form = "must be a URL such as postgresql://user@host:5432/lull"
        let isURL = url.hasPrefix("postgresql://") || url.hasPrefix("postgres://")
        // libpq would read any other word as the name of a database on this machine.
        guard isURL || url.contains("=") && !url.contains("://") else { return form }
        var message: UnsafeMutablePointer<CChar>?
        let options = unsafe PQconninfoParse(url, &message)
        defer {
            unsafe PQconninfoFree(options)
            unsafe PQfreemem(message)
        }
        guard unsafe options != nil else {
            let text = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
            return "\(form): \(withoutQuotations(text))"
        }
        if isURL, hasMisplacedAt(url) {
            return "\(form): in a password @ is written as %40, and / as %2F"
        }
        guard let port = unsafe value(of: "port", in: options) else { return nil }
        let areNumbers = port.split(separator: ",").allSatisfy { part in
            Int(part).map { (1...65_535).contains($0) } ?? false
        }
        return areNumbers ? nil : "\(form): the port is a number from 1 to 65535"
    }

    /// Whether libpq would take a part of the password for the host or the database: it ends the
    /// password at the first `@`, and looks for no `@` behind a `/`.
    private static func hasMisplacedAt(_ url: String) -> Bool {
        let at = UInt8(ascii: "@")
        let start = url.utf8.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
        let whole = url.utf8[start...]
        let credentials = whole.prefix { $0 != at && $0 != UInt8(ascii: "/") }
        let place = whole[credentials.endIndex...]
        let rest = place.first == at ? place.dropFirst() : place
        return rest.prefix { $0 != UInt8(ascii: "?") }.contains(at)
    }

    /// A message of libpq in one line, without the text that it quotes.
    private static func withoutQuotations(_ message: String) -> String {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        var result = parts.enumerated().map { place, part in
            place.isMultiple(of: 2) ? String(part) : "…"
        }.joined()
        while result.hasSuffix("\n") { result.removeLast() }
        let namesOption = ["connection option", "query parameter"].contains(where: result.contains)
        return namesOption
            ? result + ". libpq knows host, port, user, password, dbname, sslmode and others"
            : result
    }

    @unsafe private static func value(
        of keyword: String, in options: UnsafeMutablePointer<PQconninfoOption>?
    ) -> String? {
        var next = unsafe options
        while let option = unsafe next, let name = unsafe option.pointee.keyword {
            if unsafe String(cString: name) == keyword {
                return unsafe option.pointee.val.map { unsafe String(cString: $0) }
            }
            unsafe next = option + 1
        }
        return nil
    }
}
