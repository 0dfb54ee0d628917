// The file in which Amazon's tools keep keys.

/// Reads the form of `~/.aws/credentials`: sections in brackets, and `name = value` in each.
enum CredentialsFile {
    /// The keys of a profile.
    ///
    /// The section is `[name]`, or `[profile name]` as in the file `~/.aws/config`.
    ///
    /// - Throws: a sentence that says which part is missing, and does not name the file.
    static func credentials(
        _ text: String, profile: String
    ) throws(StoreFailure) -> SigningCredentials {
        guard let values = section(text, profile: profile) else {
            throw StoreFailure(
                .refused, "The credentials file of the store has no profile \"\(profile)\".")
        }
        func value(_ name: String) throws(StoreFailure) -> String {
            guard let value = values[name], !value.isEmpty else {
                throw StoreFailure(
                    .refused,
                    "The profile \"\(profile)\" in the credentials file of the store has no "
                        + "\(name).")
            }
            return value
        }
        let token = values["aws_session_token"]
        return SigningCredentials(
            accessKey: try value("aws_access_key_id"),
            secretKey: try value("aws_secret_access_key"),
            sessionToken: token?.isEmpty == false ? token : nil)
    }

    /// The values of a section by their names in lower case; nil without the section.
    private static func section(_ text: String, profile: String) -> [String: String]? {
        var found: [String: String]?
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("[") {
                let words = line.dropFirst().prefix { $0 != "]" }.split(whereSeparator: isSpace)
                isInside =
                    words == [profile[...]] || words == ["profile", profile[...]]
                if isInside, found == nil { found = [:] }
                continue
            }
            guard isInside, let equals = line.firstIndex(of: "=") else { continue }
            let name = trimmed(line[..<equals]).lowercased()
            // The first value counts, so that a second section adds only what is missing.
            if found?[name] == nil {
                found?[name] = String(trimmed(line[line.index(after: equals)...]))
            }
        }
        return found
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return start[...last]
    }
}
