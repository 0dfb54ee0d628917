package import Base
package import Downloads

/// The key of a learned value; in a chain the more exact keys come first, `all` last.
package enum LearnedKey: Hashable, Sendable {
    /// All downloads.
    case all
    /// An origin, by its number.
    case origin(Int64)
    /// An origin in a quarter of the day, 0 to 3.
    case quarter(origin: Int64, Int)
    /// A session, by its number.
    case session(Int64)
    /// A session's downloads from an origin.
    case pair(session: Int64, origin: Int64)
    /// An hour of the week, 0 to 167 from Monday 00:00 UTC on, or of any day, 168 to 191; for the
    /// downloads of a class or, with -1, for the observed hours themselves.
    case hour(kind: Int64, Int)

    /// The chain of an origin's rates.
    package static func rates(origin: Int64, quarter: Int) -> LearnedChain {
        LearnedChain(.quarter(origin: origin, quarter), .origin(origin), .all)
    }

    /// The chain of sizes.
    package static func sizes(session: Int64, origin: Int64) -> LearnedChain {
        LearnedChain(.pair(session: session, origin: origin), .session(session), .all)
    }

    /// The chain of progress, the share of the missing bytes that an attempt transfers.
    package static func progress(origin: Int64) -> LearnedChain {
        LearnedChain(.origin(origin), .all)
    }

    /// The chain of resumes: whether an origin honours a request for the rest of a file.
    package static func resumes(origin: Int64) -> LearnedChain {
        LearnedChain(.origin(origin), .all)
    }

    /// The chain of setup times until an origin's first byte.
    package static func setups(origin: Int64) -> LearnedChain {
        LearnedChain(.origin(origin), .all)
    }

    /// The chain of the capacity of a replica's link: the hour of the week, then the quarter of the
    /// day, as an origin of the number 0, which no origin has.
    package static func links(at instant: Timestamp) -> LearnedChain {
        LearnedChain(
            hours(of: nil, at: instant)[0], .quarter(origin: 0, quarter(of: instant)), .all)
    }

    /// The chain of an instant's hour of the week and hour of the day.
    ///
    /// - Parameters:
    ///   - kind: the class of downloads that came; nil for the hours themselves.
    ///   - instant: any in the hour.
    /// - Returns: the more exact one first.
    package static func hours(of kind: SchedulingClass?, at instant: Timestamp) -> LearnedChain {
        let number = kind.map { Int64($0.rawValue) } ?? -1
        // 1 January 1970 was a Thursday.
        let hours = instant.microseconds / 3_600_000_000 + 72
        let week = Int((hours % 168 + 168) % 168)
        return LearnedChain(.hour(kind: number, week), .hour(kind: number, 168 + week % 24))
    }

    /// The chain of an arrived download: its hour, and its session and origin.
    package static func arrivals(
        of kind: SchedulingClass, session: Int64, origin: Int64, at instant: Timestamp
    ) -> LearnedChain {
        let hours = hours(of: kind, at: instant)
        return LearnedChain(hours[0], hours[1], .pair(session: session, origin: origin), .all)
    }

    /// The quarter of the day, in UTC, in which an instant lies: 0 to 3.
    package static func quarter(of instant: Timestamp) -> Int {
        let quarters = instant.microseconds / 21_600_000_000
        let isBefore = instant.microseconds % 21_600_000_000 < 0
        return Int(((quarters - (isBefore ? 1 : 0)) % 4 + 4) % 4)
    }
}

// The stored form of a key: three numbers.
extension LearnedKey {
    /// The kind of key: 0 all, 1 an origin, 2 a quarter, 3 a session, 4 a pair, 5 an hour.
    package var level: Int16 {
        switch self {
        case .all: 0
        case .origin: 1
        case .quarter: 2
        case .session: 3
        case .pair: 4
        case .hour: 5
        }
    }

    /// The two numbers of the key; 0 for a missing one.
    package var numbers: (first: Int64, second: Int64) {
        switch self {
        case .all: (0, 0)
        case .origin(let origin): (origin, 0)
        case .quarter(let origin, let quarter): (origin, Int64(quarter))
        case .session(let session): (session, 0)
        case .pair(let session, let origin): (session, origin)
        case .hour(let kind, let hour): (kind, Int64(hour))
        }
    }

    /// Reads a stored key; nil for numbers of no key.
    package init?(level: Int16, first: Int64, second: Int64) {
        switch level {
        case 0: self = .all
        case 1: self = .origin(first)
        case 2 where (0...3).contains(second): self = .quarter(origin: first, Int(second))
        case 3: self = .session(first)
        case 4: self = .pair(session: first, origin: second)
        case 5 where (0..<192).contains(second): self = .hour(kind: first, Int(second))
        default: return nil
        }
    }

    /// Whether the key covers downloads of one app only, because sessions belong to apps.
    var isOwn: Bool {
        switch self {
        case .session, .pair: true
        case .all, .origin, .quarter, .hour: false
        }
    }

    /// The kind of key in a word.
    package var word: String {
        switch self {
        case .all: "everything"
        case .origin: "origin"
        case .quarter: "origin_and_time_of_day"
        case .session: "session"
        case .pair: "session_and_origin"
        case .hour: "hour"
        }
    }
}
