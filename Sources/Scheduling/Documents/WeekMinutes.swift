internal import Base

/// The minutes of a week in local time, as a set.
struct WeekMinutes: Equatable {
    private static let count = 10_080
    private static let wordCount = (count + 63) / 64

    private var words: [UInt64]

    /// The set of all minutes.
    static var all: WeekMinutes {
        var minutes = WeekMinutes()
        for minute in 0..<count { minutes.insert(minute) }
        return minutes
    }

    private init() { words = Array(repeating: 0, count: WeekMinutes.wordCount) }

    /// The minutes in which windows are open.
    init(_ hours: WeeklyWindows) {
        self.init()
        for window in hours.windows {
            for day in window.days {
                let start = day.rawValue * 1440 + window.startMinute
                for minute in start..<start + window.lengthInMinutes {
                    insert(minute % WeekMinutes.count)
                }
            }
        }
    }

    private mutating func insert(_ minute: Int) { words[minute >> 6] |= 1 << (minute & 63) }

    /// Whether the set is empty.
    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The minutes of both sets.
    func intersection(_ other: WeekMinutes) -> WeekMinutes {
        var minutes = self
        for place in words.indices { minutes.words[place] &= other.words[place] }
        return minutes
    }

    /// The minutes that are not in the set.
    var inverted: WeekMinutes {
        var minutes = WeekMinutes.all
        for place in words.indices { minutes.words[place] &= ~words[place] }
        return minutes
    }
}
