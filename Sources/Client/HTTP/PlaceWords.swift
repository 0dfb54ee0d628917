// The places of a refusal in the words of the command line; pure.

/// Translates the pointers of a problem document into options, operands and lines of a file.
package struct PlaceWords {
    /// The option for each member of a download or an upload, and for each parameter of a list.
    private static let options: [String: [String]] = [
        "earliest_begin_date": ["--after"], "complete_by": ["--by"],
        "is_discretionary": ["--discretionary"], "priority": ["--priority"],
        "max_bytes_per_second": ["--limit-rate"], "max_bytes": ["--max-bytes"],
        "min_bytes": ["--min-bytes"], "accept_content_types": ["--accept-type"],
        "retry": ["--retry-status"], "retry/attempts": ["--retry-attempts"],
        "retry/for_seconds": ["--retry-for"],
        "count_of_bytes_client_expects_to_receive": ["--expect"], "length": ["FILE"],
        "expected_digest": ["--checksum"], "urls": ["--mirror"], "segments": ["--segments"],
        "filename": ["--filename"], "task_description": ["--description"],
        "webhook_url": ["--webhook"], "session": ["--session"], "method": ["--request"],
        "external_id": ["--external-id"],
        "if_changed_from": ["--if-changed-from"], "url": ["--url", "URL"], "metadata": ["--label"],
        "headers": ["--header"], "authorization": ["--user", "--bearer-file"],
        "proxy": ["--proxy"], "body": ["--data"], "body_base64": ["--data"],
        "destination": ["--to", "PLACE"], "destination/method": ["--to-method"],
        "destination/headers": ["--to-header"], "destination/protocol": ["--tus"],
        "destination/authorization": ["--to-bearer-file"],
        "destination/on_conflict": ["--on-conflict"], "ttl_seconds": ["--ttl"],
        "disposition": ["--inline"], "state": ["--state"], "origin": ["--origin"],
        "error_code": ["--error"], "q": ["--search"], "order": ["--order"],
        "types": ["--type"], "after": ["--since"], "download": ["--download"],
        "events": ["--event"], "sessions": ["--session"], "scopes": ["--scope"], "app": ["--app"],
        "limits/requests_per_second": ["--requests-per-second"],
        "limits/queued": ["--queued"], "limits/running": ["--max-running"],
        "limits/staged_bytes": ["--staged-bytes"],
        "schedule": ["WHEN"], "schedule/time_zone": ["--zone"], "schedule/jitter": ["--jitter"],
        "overlap": ["--overlap"], "catch_up": ["--catch-up"], "keep": ["--keep"],
        "notify": ["--wake"], "bandwidth": ["RATE"], "windows": ["HOURS"], "source": ["--source"],
    ]

    private let known: Set<String>
    private let file: String?
    /// The lines of a file that the downloads of a batch come from; empty without a file.
    private let lines: [Int]

    /// Creates the words of a command.
    ///
    /// - Parameters:
    ///   - command: the command, whose options and operands are the words.
    ///   - file: the file that the request comes from; nil for none.
    ///   - lines: the line of each download of a batch in that file.
    package init(_ command: Command, file: String? = nil, lines: [Int] = []) {
        known = Set(command.options.map(\.name) + command.operands.map(\.name))
        self.file = file
        self.lines = lines
    }

    /// The words for a pointer, such as `#/headers/Range`, or for a parameter, such as `?state`.
    ///
    /// - Parameter pointer: as the problem document has it.
    /// - Returns: an option or an operand, a place in the file, or the names of the members.
    package func words(for pointer: String) -> String {
        if pointer.hasPrefix("?") {
            let name = String(pointer.dropFirst().prefix { $0 != "[" })
            return option(of: [name == "metadata" ? "metadata" : name]) ?? name
        }
        var path = pointer.split(separator: "/").dropFirst().map(String.init)
        guard pointer.hasPrefix("#"), let first = path.first else { return file ?? "the request" }
        if first == "downloads", path.count > 1, let number = Int(path[1]), let file,
            lines.indices.contains(number)
        {
            let name = option(of: Array(path.dropFirst(2)))
            return "\(file):\(lines[number])" + (name.map { ": \($0)" } ?? "")
        }
        if first == "downloads" { path.removeFirst(min(2, path.count)) }
        if ["defaults", "filter", "template"].contains(first), path.count > 1 {
            path.removeFirst()
        }
        if let name = option(of: path) { return name }
        guard file != nil, lines.isEmpty else { return path.joined(separator: ".") }
        return "\(file ?? ""): \(PlaceWords.member(path))"
    }

    /// The place of a member in a document, such as `rules[0].require`, for a pointer such as
    /// `#/rules/0/require`; `the document` for the pointer to all of it.
    package static func member(_ pointer: String) -> String {
        let path = pointer.split(separator: "/").dropFirst().map(String.init)
        return path.isEmpty ? "the document" : member(path)
    }

    private static func member(_ path: [String]) -> String {
        path.reduce("") { text, part in
            // A pointer escapes the slash and its own mark.
            let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
            if Int(name) != nil { return "\(text)[\(name)]" }
            return text.isEmpty ? name : "\(text).\(name)"
        }
    }

    /// The longest beginning of a path that is an option of the command, with the name of a header
    /// field or label behind it.
    private func option(of path: [String]) -> String? {
        for count in stride(from: path.count, to: 0, by: -1) {
            let names = PlaceWords.options[path.prefix(count).joined(separator: "/")] ?? []
            let found = names.filter(known.contains)
            guard !found.isEmpty else { continue }
            let rest = path.dropFirst(count).filter { Int($0) == nil }
            return ([found.joined(separator: " or ")] + rest).joined(separator: " ")
        }
        return nil
    }
}
