// The headers by which an origin says when to ask again.
package import Base

/// The fields of an answer that tell a time, each as sent; nil where there is none.
package struct ToldFields: Equatable, Sendable {
    /// Remaining requests and the time of their renewal, from two fields of one family.
    package struct Limit: Equatable, Sendable {
        /// `RateLimit-Remaining` or `X-RateLimit-Remaining`.
        package var remaining: String?
        /// `RateLimit-Reset` or `X-RateLimit-Reset`.
        package var reset: String?

        /// Creates a value with both members.
        package init(remaining: String? = nil, reset: String? = nil) {
            self.remaining = remaining
            self.reset = reset
        }
    }

    /// `Retry-After`.
    package var retryAfter: String?
    /// `RateLimit`, all lines as one list.
    package var rateLimit: String?
    /// The fields with and without `X-`.
    package var limits: [Limit] = []

    /// Creates a value without fields.
    package init() {}

    /// The wait that the answer asks for.
    ///
    /// `Retry-After` wins. The fields of a limit count only where nothing remains of it, which a
    /// 429 says by itself.
    ///
    /// - Parameters:
    ///   - status: the answer's.
    ///   - method: of the request; a 202 means "not yet" to a GET alone.
    ///   - now: the database's clock.
    /// - Returns: the wait; nil where no time is told, or none that the status lets be waited for.
    package func wait(status: Int, method: RequestMethod, now: Timestamp) -> ToldWait? {
        let renewal = renewal(isUsedUp: status == 429, now: now)
        guard ToldFields.obeys(status, method: method, isUsedUp: renewal != nil),
            let time = retryAfter.flatMap({ RetryAfter.parse($0, now: now) }) ?? renewal
        else { return nil }
        return ToldWait(time: time, holdsOrigin: [429, 503].contains(status) || renewal != nil)
    }

    /// Whether an answer with this status may succeed after the told time, so that the time is
    /// obeyed.
    private static func obeys(_ status: Int, method: RequestMethod, isUsedUp: Bool) -> Bool {
        switch status {
        case 202: method == .get
        case 300...399, 403, 404, 413: true
        case 401, 407: false
        case 400...499 where isUsedUp: true
        default: AttemptVerdict.failure(status: status, method: method).isTransient
        }
    }

    /// The time until a limit of which nothing remains is renewed; the longest of several.
    private func renewal(isUsedUp: Bool, now: Timestamp) -> Duration? {
        var waits = limits.compactMap { limit -> Duration? in
            guard limit.remaining.map(ToldFields.isZero) ?? isUsedUp else { return nil }
            return limit.reset.flatMap { ToldFields.time($0, now: now) }
        }
        if let rateLimit { waits += ToldFields.renewals(rateLimit, now: now) }
        return waits.max()
    }

    /// Both forms are read: `"name";r=0;t=30` of the current draft and `limit=9, remaining=0,
    /// reset=30` of earlier drafts.
    private static func renewals(_ field: String, now: Timestamp) -> [Duration] {
        let items = field.split(separator: ",").map { item in
            item.split(separator: ";").compactMap { part -> (name: String, value: String)? in
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { return nil }
                return (trimmed(pair[0]).lowercased(), trimmed(pair[1]))
            }
        }
        func renewal(
            _ parts: [(name: String, value: String)], _ left: String, _ renews: String
        )
            -> Duration?
        {
            guard parts.contains(where: { $0.name == left && isZero($0.value) }) else { return nil }
            return parts.first { $0.name == renews }.flatMap { time($0.value, now: now) }
        }
        let all = items.flatMap(\.self)
        return items.compactMap { renewal($0, "r", "t") }
            + (renewal(all, "remaining", "reset").map { [$0] } ?? [])
    }

    private static func isZero(_ text: String) -> Bool {
        RetryAfter.seconds(trimmed(text[...])) == .zero
    }

    /// The wait until the time in a text.
    ///
    /// A number below 10^9 counts seconds from now, from there on it is an instant in seconds since
    /// 1970, from 10^12 on in milliseconds; a date is read as well.
    static func time(_ text: String, now: Timestamp) -> Duration? {
        guard let number = RetryAfter.seconds(trimmed(text[...])) else {
            return RetryAfter.parse(text, now: now)
        }
        if number < .seconds(1_000_000_000) { return number }
        let micros = number.wholeMicroseconds
        let isMillis = number >= .seconds(1_000_000_000_000)
        return max(.zero, Timestamp(microseconds: isMillis ? micros / 1000 : micros) - now)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" || $0 == "\"" }
        while let last = text.last, last == " " || last == "\t" || last == "\"" {
            text.removeLast()
        }
        return String(text)
    }
}
