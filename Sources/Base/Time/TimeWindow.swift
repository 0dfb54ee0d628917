// One line of a policy's windows: `Mon-Fri 22:00-06:00`.

/// A span of local time on some days of the week.
package struct TimeWindow: Hashable, Sendable {
    /// The days on which the window begins, Monday first; never empty.
    package let days: [Weekday]
    /// Minutes after midnight at which it begins, 0 to 1439.
    package let startMinute: Int
    /// Minutes after midnight of the first day at which it ends; above 1440 on the next day.
    package let endMinute: Int

    /// Reads a window such as `Mon-Fri 22:00-06:00`, `Mon,Wed 01:00-02:30` or `22:00-06:00`.
    ///
    /// Days may be left out (every day); a range of days may run over Sunday. A window whose end
    /// is not after its start ends on the next day; 24:00 is the end of a day.
    ///
    /// - Parameter text: days, one or more spaces, and two times.
    /// - Throws: `WindowError` with the fault and its position.
    package init(parsing text: String) throws(WindowError) {
        var scanner = WindowScanner(text)
        scanner.skipSpaces()
        if scanner.isAtLetter {
            days = try scanner.days()
        } else {
            days = Weekday.allCases
        }
        startMinute = try scanner.time(isEnd: false)
        guard scanner.take("-") else { throw scanner.error("a - between the times is expected") }
        let endPosition = scanner.index
        let end = try scanner.time(isEnd: true)
        scanner.skipSpaces()
        guard scanner.isAtEnd else { throw scanner.error("nothing may follow the times") }
        guard end != startMinute else {
            throw scanner.error(
                "the window ends when it begins; for the whole day write "
                    + "00:00-24:00", at: endPosition)
        }
        endMinute = end > startMinute ? end : end + 1440
    }

    /// The length of the window in local time, 1 to 1440 minutes.
    package var lengthInMinutes: Int { endMinute - startMinute }
}

extension TimeWindow: CustomStringConvertible {
    /// The window in the spelling that `init(parsing:)` reads.
    package var description: String {
        let end = endMinute > 1440 ? endMinute - 1440 : endMinute
        let times = TimeWindow.clock(startMinute) + "-" + TimeWindow.clock(end)
        if days.count == 7 { return times }
        var runs: [[Weekday]] = []
        for day in days {
            if let last = runs.last?.last, last.rawValue + 1 == day.rawValue {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        let names = runs.map { run in
            let first = run.first?.shortName ?? "", last = run.last?.shortName ?? ""
            return run.count == 1 ? first : first + (run.count == 2 ? "," : "-") + last
        }
        return names.joined(separator: ",") + " " + times
    }

    private static func clock(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }
            .joined(separator: ":")
    }
}

/// A position in the text of a window.
private struct WindowScanner {
    let text: String
    let characters: [Character]
    var index = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    var isAtEnd: Bool { index == characters.count }
    var isAtLetter: Bool { !isAtEnd && characters[index].isLetter }

    func error(_ reason: String, at position: Int? = nil) -> WindowError {
        WindowError(text: text, position: position ?? index, reason: reason)
    }

    mutating func take(_ character: Character) -> Bool {
        guard !isAtEnd, characters[index] == character else { return false }
        index += 1
        return true
    }

    mutating func skipSpaces() {
        while take(" ") {}
    }

    /// Reads `Mon-Wed,Sat` and the spaces behind it.
    mutating func days() throws(WindowError) -> [Weekday] {
        var chosen: Set<Weekday> = []
        repeat {
            let first = try day()
            var number = first.rawValue
            let last = take("-") ? try day().rawValue : number
            chosen.insert(first)
            while number != last {
                number = (number + 1) % 7
                if let day = Weekday(rawValue: number) { chosen.insert(day) }
            }
        } while take(",")
        guard take(" ") else { throw error("a space between days and times is expected") }
        skipSpaces()
        return Weekday.allCases.filter { chosen.contains($0) }
    }

    private mutating func day() throws(WindowError) -> Weekday {
        let start = index
        while isAtLetter { index += 1 }
        let name = String(characters[start..<index]).lowercased()
        guard let day = Weekday.allCases.first(where: { $0.shortName.lowercased() == name }) else {
            throw error("a day (Mon, Tue, Wed, Thu, Fri, Sat, Sun) is expected", at: start)
        }
        return day
    }

    /// Reads `hh:mm` as minutes after midnight.
    mutating func time(isEnd: Bool) throws(WindowError) -> Int {
        let start = index
        guard let hour = twoDigits(), take(":"), let minute = twoDigits() else {
            throw error("a time such as 06:30 is expected", at: start)
        }
        let value = hour * 60 + minute
        guard minute < 60, value < 1440 || isEnd && value == 1440 else {
            let limit = isEnd ? "24:00" : "23:59"
            throw error("a time from 00:00 to \(limit) is expected", at: start)
        }
        return value
    }

    private mutating func twoDigits() -> Int? {
        guard characters.count - index >= 2,
            characters[index...index + 1].allSatisfy({ $0.isASCII && $0.isWholeNumber })
        else { return nil }
        defer { index += 2 }
        return Int(String(characters[index...index + 1]))
    }
}
