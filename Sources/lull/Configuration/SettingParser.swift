// Parsers for the texts of settings.
internal import API
internal import Base
internal import Downloads
internal import HTTPServer
internal import Platform
internal import Scheduling
internal import Transfers

/// Parses the text of a setting.
struct SettingParser<Value: Sendable>: Sendable {
    /// Parses a text; the error names the setting and the allowed values.
    let parse: @Sendable (_ text: String, _ name: String) throws(ConfigurationError) -> Value

    /// Creates a parser from one whose errors do not contain the name of the setting.
    init<Failure: Error & CustomStringConvertible>(
        _ parse: @escaping @Sendable (String) throws(Failure) -> Value
    ) {
        self.parse = { text, name throws(ConfigurationError) in
            do throws(Failure) {
                return try parse(text)
            } catch {
                throw ConfigurationError("\(name): \(error)")
            }
        }
    }
}

extension SettingParser<String> {
    /// The text unchanged.
    static let text = SettingParser { text throws(ConfigurationError) in text }

    /// One of several words.
    static func choice(_ words: [String]) -> SettingParser {
        SettingParser { text throws(ConfigurationError) in
            guard words.contains(text) else {
                throw ConfigurationError("must be one of \(words.joined(separator: ", "))")
            }
            return text
        }
    }
}

extension SettingParser<[String]> {
    /// Texts separated by commas, without spaces.
    static let list = SettingParser { text throws(ConfigurationError) in
        text.split(separator: ",").map { $0.filter { $0 != " " } }
    }
}

extension SettingParser<Int> {
    /// A whole number in a range.
    static func integer(in range: ClosedRange<Int>) -> SettingParser {
        SettingParser { text throws(ConfigurationError) in
            guard let number = Int(text), range.contains(number) else {
                throw ConfigurationError(
                    "must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension SettingParser<Int64> {
    /// A number of bytes, such as `1GiB`.
    static let bytes = SettingParser(ByteCount.parse)

    /// A duration of at least a second, as whole seconds.
    static let seconds = SettingParser { text throws(ConfigurationError) in
        try SettingParser<Duration>.read(text, atLeast: .seconds(1)).wholeMicroseconds / 1_000_000
    }
}

extension SettingParser<Duration> {
    /// A duration, such as `30s`.
    static func duration(atLeast least: Duration) -> SettingParser {
        SettingParser { text throws(ConfigurationError) in try read(text, atLeast: least) }
    }

    /// A duration, or `off`, which is read as zero.
    static func durationOrOff(atLeast least: Duration) -> SettingParser {
        SettingParser { text throws(ConfigurationError) in
            text == "off" ? .zero : try read(text, atLeast: least)
        }
    }

    fileprivate static func read(
        _ text: String, atLeast least: Duration
    ) throws(ConfigurationError) -> Duration {
        let duration: Duration
        do throws(QuantityError) {
            duration = try DurationText.parse(text)
        } catch {
            throw ConfigurationError("\(error)")
        }
        guard duration >= least else {
            throw ConfigurationError("must be at least \(DurationText.print(least))")
        }
        return duration
    }
}

extension SettingParser<[Duration]> {
    /// Durations separated by commas.
    static func durations(countAtMost count: Int) -> SettingParser {
        SettingParser { text throws(ConfigurationError) in
            var durations: [Duration] = []
            for word in text.split(separator: ",") {
                durations.append(
                    try SettingParser<Duration>.read(word.filter { $0 != " " }, atLeast: .zero))
            }
            guard durations.count <= count else {
                throw ConfigurationError("at most \(count) durations")
            }
            return durations
        }
    }
}

extension SettingParser<Destinations> {
    /// The grammar of allowed destinations.
    static let destinations = SettingParser(Destinations.parse)
}

extension SettingParser<AllowedPlaces> {
    /// Folders and stores by name.
    static let places = SettingParser(AllowedPlaces.parse)
}

extension SettingParser<Timetable> {
    /// Bytes per second, a timetable of rates, or `off`.
    static let timetable = SettingParser { text throws(TimetableError) in
        try Timetable(parsing: text)
    }
}

extension SettingParser<LogLevel> {
    /// The name of a log level.
    static let logLevel = SettingParser { text throws(ConfigurationError) in
        guard let level = LogLevel(name: text) else {
            let names = LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ConfigurationError("must be one of \(names)")
        }
        return level
    }
}

extension SettingParser<[ListenAddress]> {
    /// Addresses separated by commas, at least one.
    static let listenAddresses = SettingParser { text throws(ConfigurationError) in
        var addresses: [ListenAddress] = []
        for word in text.split(separator: ",") {
            let text = word.filter { $0 != " " }
            guard let address = ListenAddress(text) else {
                throw ConfigurationError("\"\(text)\" is not HOST:PORT, [IPv6]:PORT or unix:/PATH")
            }
            addresses.append(address)
        }
        guard !addresses.isEmpty else {
            throw ConfigurationError("names no address; give at least one")
        }
        return addresses
    }
}

extension SettingParser<String> {
    /// An address to which others may connect: a name or a number, and a port.
    static let advertise = SettingParser { text throws(ConfigurationError) in
        let parsed: SourceURL?
        do throws(SourceURLError) {
            parsed = try SourceURL(parsing: "http://\(text)/")
        } catch {
            parsed = nil
        }
        let digits = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        let port = Int(digits).map { (1...65_535).contains($0) } ?? false
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/?#@".utf8.contains($0) }
        guard parsed != nil, port, isPlain, text.contains(":") else {
            throw ConfigurationError("\"\(text)\" is not HOST:PORT or [IPv6]:PORT")
        }
        return text
    }
}

extension SettingParser<PublicURL> {
    /// A URL of scheme, host, port and perhaps a path.
    static let publicURL = SettingParser { text throws(AddressError) in
        try PublicURL(parsing: text)
    }
}

extension SettingParser<AllowedOrigins> {
    /// Origins of web pages, separated by commas.
    static let origins = SettingParser { text throws(AddressError) in
        try AllowedOrigins(parsing: text)
    }
}

extension SettingParser<MailServer> {
    /// A server of mail; the error does not repeat the text, which may have a password.
    static let mailServer = SettingParser { text throws(ConfigurationError) in
        guard let server = MailServer(text) else { throw ConfigurationError(MailServer.rule) }
        return server
    }
}

extension SettingParser<MailAddress> {
    /// One address of mail.
    static let mailAddress = SettingParser { text throws(ConfigurationError) in
        guard let address = MailAddress(text) else { throw ConfigurationError(MailAddress.rule) }
        return address
    }
}
