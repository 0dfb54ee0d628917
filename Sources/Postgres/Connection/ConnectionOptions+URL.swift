// Whether a text names a database at all; see chapter 34.1.1 of the manual.
internal import CPostgres
internal import Glibc

extension ConnectionOptions {
    /// What is wrong with a URL or a keyword/value string, without connecting.
    ///
    /// - Returns: a sentence that quotes nothing of the text but the names of parameters, because
    ///   it may hold a password; nil if libpq can read it.
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
        guard let port = unsafe value(of: "port", in: options) else { return nil }
        let areNumbers = port.split(separator: ",").allSatisfy { part in
            Int(part).map { (1...65_535).contains($0) } ?? false
        }
        return areNumbers ? nil : "\(form): the port is a number from 1 to 65535"
    }

    /// A message of libpq whose quotations are left out, but for names of parameters.
    static func withoutQuotations(_ message: String) -> String {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        var result = ""
        for (place, part) in parts.enumerated() {
            let isQuoted = place % 2 == 1
            let names = ["query parameter: ", "connection option "]
            let isName = names.contains { result.hasSuffix($0) }
            result += isQuoted ? isName ? "\"\(part)\"" : "…" : part
        }
        while result.hasSuffix("\n") { result.removeLast() }
        return result
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
