// The grammar of timetables: `08:00,512k 12:00,10M 18:00,off`, `Mon-00:00,512k Fri-23:59,10M`.
internal import Base

extension Timetable {
    /// The most changes of one text.
    package static let changesAtMost = 128

    /// Reads a constant rate, such as `10M`, or a timetable.
    ///
    /// A timetable is a list of changes, `hh:mm,RATE` for every day or `Mon-hh:mm,RATE` for one,
    /// with spaces or semicolons between. A rate is a number of bytes a second as `ByteCount.parse`
    /// reads it, `off` for no limit, `0` or `paused` for nothing at all. A change for one day
    /// overrides the change for every day at the same time.
    ///
    /// - Parameter text: the timetable.
    /// - Throws: `TimetableError` with the fault and its position.
    package init(parsing text: String) throws(TimetableError) {
        let words = TimetableWord.split(text)
        guard let first = words.first else {
            throw TimetableError(text: text, position: 0, reason: "a rate is missing")
        }
        guard words.count <= Timetable.changesAtMost else {
            throw TimetableError(
                text: text, position: words[Timetable.changesAtMost].position,
                reason: "more than \(Timetable.changesAtMost) changes are not allowed")
        }
        if words.count == 1, !first.characters.contains(",") {
            self = .always(try first.rate(from: 0, in: text))
            return
        }
        var daily: [Int: ByteRate] = [:]
        var single: [Int: ByteRate] = [:]
        for word in words {
            let (day, minute, rate) = try word.change(in: text)
            let key = minute + (day?.rawValue ?? 0) * 1440
            let earlier =
                day == nil
                ? daily.updateValue(rate, forKey: key) : single.updateValue(rate, forKey: key)
            guard earlier == nil else {
                throw TimetableError(
                    text: text, position: word.position, reason: "the same time is given twice")
            }
        }
        for (minute, rate) in daily {
            for day in Weekday.allCases where single[minute + day.rawValue * 1440] == nil {
                single[minute + day.rawValue * 1440] = rate
            }
        }
        self.init(changes: single.map { Change(minute: $0.key, rate: $0.value) })
    }
}

/// One word of a timetable and its place.
private struct TimetableWord {
    var characters: [Character] = []
    let position: Int

    static func split(_ text: String) -> [TimetableWord] {
        var words: [TimetableWord] = []
        var isInside = false
        for (position, character) in text.enumerated() {
            guard character != " ", character != ";" else {
                isInside = false
                continue
            }
            if !isInside { words.append(TimetableWord(position: position)) }
            isInside = true
            words[words.count - 1].characters.append(character)
        }
        return words
    }

    /// Reads `Mon-hh:mm,RATE` or `hh:mm,RATE`.
    func change(in text: String) throws(TimetableError) -> (Weekday?, minute: Int, ByteRate) {
        guard let comma = characters.firstIndex(of: ",") else {
            throw TimetableError(
                text: text, position: position, reason: "a time, a comma and a rate are expected")
        }
        var start = 0
        var day: Weekday?
        if let dash = characters[..<comma].firstIndex(of: "-") {
            let name = String(characters[..<dash]).lowercased()
            day = Weekday.allCases.first { $0.shortName.lowercased() == name }
            guard day != nil else {
                throw TimetableError(
                    text: text, position: position,
                    reason: "a day (Mon, Tue, Wed, Thu, Fri, Sat, Sun) is expected")
            }
            start = dash + 1
        }
        guard let minute = TimetableWord.minute(characters[start..<comma]) else {
            throw TimetableError(
                text: text, position: position + start,
                reason: "a time from 00:00 to 23:59 is expected")
        }
        return (day, minute, try rate(from: comma + 1, in: text))
    }

    func rate(from start: Int, in text: String) throws(TimetableError) -> ByteRate {
        let word = String(characters[start...])
        switch word.lowercased() {
        case "off": return .unlimited
        case "paused": return .stopped
        default: break
        }
        do throws(QuantityError) {
            return ByteRate(try ByteCount.parse(word))
        } catch {
            throw TimetableError(
                text: text, position: position + start,
                reason: "a rate is expected, bytes a second such as 512k or 10M, off, or 0")
        }
    }

    private static func minute(_ digits: ArraySlice<Character>) -> Int? {
        let text = Array(digits)
        guard text.count == 5, text[2] == ":",
            [0, 1, 3, 4].allSatisfy({ text[$0].isASCII && text[$0].isWholeNumber }),
            let hour = Int(String(text[0...1])), let minute = Int(String(text[3...4])),
            hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}
