// Dates as the API writes them, so that two of them compare as text.
import Foundation

extension Date {
    /// RFC 3339 in UTC with milliseconds, for instance `2026-11-21T09:15:00.250Z`.
    var instant: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Reads an instant in the API's notation.
    init(instant: String) throws {
        self = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(instant)
    }

    /// The first full minute that is at least some seconds away.
    func fullMinute(after seconds: TimeInterval) -> Date {
        let later = timeIntervalSince1970 + seconds
        return Date(timeIntervalSince1970: (later / 60).rounded(.up) * 60)
    }

    /// The time of day in UTC as a policy writes it, `HH:MM`.
    var timeOfDay: String { String(instant.dropFirst(11).prefix(5)) }
}
