// The options of a download as JSON members of the API; pure but for the files that options name.
internal import Base
internal import Downloads

/// Makes the document of a new download, or of a change, from the command's options.
struct DownloadOptions {
    let arguments: Arguments
    let clock: InstantText

    /// The members that the options set.
    ///
    /// - Parameter place: the place of the file where an operand names it, and no option.
    /// - Returns: the members.
    /// - Throws: `ClientFailure` for values that cannot be.
    func members(to place: String? = nil) throws(ClientFailure) -> JSONObject {
        var members = JSONObject()
        members["earliest_begin_date"] = try instant("--after")
        members["complete_by"] = try instant("--by")
        if arguments.has("--discretionary") { members["is_discretionary"] = true }
        members["priority"] = try number("--priority").map { .number($0) }
        members["max_bytes_per_second"] = try size("--limit-rate")
        members["max_bytes"] = try size("--max-bytes")
        members["min_bytes"] = try size("--min-bytes")
        let types = arguments["--accept-type"].map { JSON.string($0) }
        if !types.isEmpty { members["accept_content_types"] = .array(types) }
        members["retry"] = try retryRule()
        members["count_of_bytes_client_expects_to_receive"] = try size("--expect")
        members["expected_digest"] = try text("--checksum").map { (text) throws(ClientFailure) in
            .string(try DownloadOptions.digest(text))
        }
        let mirrors = arguments["--mirror"].map { JSON.string($0) }
        if !mirrors.isEmpty { members["urls"] = .array(mirrors) }
        members["segments"] = try number("--segments").map { .integer(Int64($0)) }
        for (option, member) in [
            ("--filename", "filename"), ("--description", "task_description"),
            ("--webhook", "webhook_url"), ("--session", "session"), ("--request", "method"),
            ("--external-id", "external_id"), ("--url", "url"),
            ("--if-changed-from", "if_changed_from"),
        ] { members[member] = text(option).map { .string($0) } }
        members["metadata"] = try pairs("--label", "=")
        members["headers"] = try pairs("--header", ":")
        if arguments.has("--hold") { members["suspended"] = true }
        members["destination"] = try destination(place ?? text("--to"))
        members["proxy"] = try proxy()
        try addBody(&members)
        try addAuthorization(&members)
        return members
    }

    private func text(_ option: String) -> String? { arguments[option].last }

    private func instant(_ option: String) throws(ClientFailure) -> JSON? {
        guard let text = text(option) else { return nil }
        do throws(InstantText.Failure) {
            return .string(try clock.read(text).rfc3339)
        } catch {
            throw .usage("\(option): \(error)")
        }
    }

    private func size(_ option: String) throws(ClientFailure) -> JSON? {
        guard let text = text(option) else { return nil }
        do throws(QuantityError) {
            return .integer(try ByteCount.parse(text))
        } catch {
            throw .usage("\(option): \(error)")
        }
    }

    /// The proxy of the request; nil without `--proxy`.
    private func proxy() throws(ClientFailure) -> JSON? {
        guard let text = text("--proxy") else {
            try refuse(["--proxy-user", "--proxy-password-file"], "--proxy")
            return nil
        }
        guard text != "none" else { return ["mode": "none"] }
        var proxy: JSONObject = ["url": .string(text)]
        guard let user = self.text("--proxy-user") else { return .object(proxy) }
        guard let file = self.text("--proxy-password-file") else {
            throw .usage("--proxy-user needs --proxy-password-file")
        }
        proxy["username"] = .string(user)
        proxy["password"] = .string(try FileText.secret(file))
        return .object(proxy)
    }

    /// The rule for statuses that pass by themselves; nil without `--retry-status`.
    private func retryRule() throws(ClientFailure) -> JSON? {
        let given = arguments["--retry-status"]
        guard !given.isEmpty else {
            for option in ["--retry-attempts", "--retry-for"] where arguments.has(option) {
                throw .usage("\(option) needs --retry-status")
            }
            return nil
        }
        var statuses: [JSON] = []
        for text in given {
            guard let status = Int64(text) else {
                throw .usage("--retry-status: \"\(text)\" is not an HTTP status")
            }
            statuses.append(.integer(status))
        }
        let span: Duration
        do throws(QuantityError) {
            span = try DurationText.parse(text("--retry-for") ?? "1h")
        } catch {
            throw .usage("--retry-for: \(error)")
        }
        let attempts = text("--retry-attempts") ?? "10"
        guard let attempts = Int64(attempts) else {
            throw .usage("--retry-attempts: \"\(attempts)\" is not a number")
        }
        return [
            "statuses": .array(statuses), "attempts": .integer(attempts),
            "for_seconds": .integer(span.components.seconds),
        ]
    }

    /// The destination of the finished file; nil without a place.
    private func destination(_ place: String?) throws(ClientFailure) -> JSON? {
        let forReceivers = ["--to-method", "--to-header", "--to-bearer-file", "--tus"]
        guard let place else {
            try refuse(forReceivers + ["--on-conflict"], "--to")
            return nil
        }
        guard place.contains("://") else {
            try refuse(forReceivers, "the URL of a receiver")
            return named(place)
        }
        try refuse(["--on-conflict"], "the name of a folder or store")
        var receiver: JSONObject = ["url": .string(place)]
        if arguments.has("--tus") { receiver["protocol"] = "tus" }
        receiver["method"] = text("--to-method").map { .string($0) }
        receiver["headers"] = try pairs("--to-header", ":")
        if let file = text("--to-bearer-file") {
            receiver["authorization"] = [
                "type": "bearer", "token": .string(try FileText.secret(file)),
            ]
        }
        return .object(receiver)
    }

    /// The folder or store of `NAME` or `NAME:PATH`.
    private func named(_ place: String) -> JSON {
        let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var destination: JSONObject = ["name": .string(String(parts[0]))]
        if parts.count > 1 { destination["path"] = .string(String(parts[1])) }
        destination["on_conflict"] = text("--on-conflict").map { .string($0) }
        return .object(destination)
    }

    /// Refuses options that mean nothing without another one.
    private func refuse(
        _ options: [String], _ needed: String
    ) throws(ClientFailure) {
        for option in options where arguments.has(option) {
            throw .usage("\(option) needs \(needed)")
        }
    }

    private func number(_ option: String) throws(ClientFailure) -> Double? {
        guard let text = text(option) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw .usage("\(option): \"\(text)\" is not a number")
        }
        return number
    }

    private func pairs(
        _ option: String, _ separator: Character
    ) throws(ClientFailure) -> JSON? {
        let given = arguments[option]
        guard !given.isEmpty else { return nil }
        var members = JSONObject()
        for text in given {
            guard let place = text.firstIndex(of: separator), place != text.startIndex else {
                throw .usage(
                    "\(option): \"\(text)\" does not begin with a name and \"\(separator)\"")
            }
            let value = text[text.index(after: place)...].drop { $0 == " " && separator == ":" }
            members[String(text[..<place])] = .string(String(value))
        }
        return .object(members)
    }

    private func addBody(_ members: inout JSONObject) throws(ClientFailure) {
        guard let data = text("--data") else { return }
        if members["method"] == nil { members["method"] = "POST" }
        guard data.hasPrefix("@") else {
            members["body"] = .string(data)
            return
        }
        let path = String(data.dropFirst())
        guard let bytes = FileText.bytes(of: path, atMost: 1 << 20) else {
            throw .usage("--data: the file \(path) cannot be read, or has more than 1 MiB")
        }
        members["body_base64"] = .string(Base64.encode(bytes))
    }

    private func addAuthorization(_ members: inout JSONObject) throws(ClientFailure) {
        if let file = text("--bearer-file") {
            members["authorization"] = [
                "type": "bearer", "token": .string(try FileText.secret(file)),
            ]
        }
        guard let user = text("--user") else {
            if arguments.has("--digest") { throw .usage("--digest needs --user") }
            return
        }
        guard let file = text("--password-file") else {
            throw .usage(
                "--user needs --password-file, because other users can see the command line")
        }
        members["authorization"] = [
            "type": arguments.has("--digest") ? "digest" : "basic", "username": .string(user),
            "password": .string(try FileText.secret(file)),
        ]
    }

    /// Converts a digest to `sha256:HEX`; takes the forms of the API, and `sha-256=HEX`.
    static func digest(_ text: String) throws(ClientFailure) -> String {
        var text = text
        if let sign = text.firstIndex(of: "="), text[..<sign].contains("-"), !text.contains("(") {
            let name = text[..<sign].filter { $0 != "-" }
            if DigestAlgorithm(rawValue: name.lowercased()) != nil {
                text = name + ":" + text[text.index(after: sign)...]
            }
        }
        do throws(DigestError) {
            return try ExpectedDigest(text).text
        } catch {
            throw .usage("--checksum: \"\(text)\" is not a digest: \(error.detail)")
        }
    }
}
