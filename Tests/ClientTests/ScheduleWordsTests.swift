// `lull every`: the words for schedules, for what is kept, and the name of a source.
import Base
import Client
import Testing

@Suite struct ScheduleWordsTests {
    @Test(arguments: [
        ("6h", #"{"every":"6h","cron":null,"time_zone":null}"#),
        ("1h30m", #"{"every":"1h30m","cron":null,"time_zone":null}"#),
        ("auto", #"{"every":"auto","cron":null,"time_zone":null}"#),
        ("15 2 * * *", #"{"every":null,"cron":"15 2 * * *","time_zone":"Europe/Berlin"}"#),
    ])
    func aWordIsASchedule(word: String, document: String) throws {
        let schedule = try ScheduleWords.schedule(word, zone: "Europe/Berlin")
        #expect(JSON.object(schedule).text == document)
    }

    @Test func cronWithoutAZoneIsInUTC() throws {
        let schedule = try ScheduleWords.schedule("0 0 * * *", zone: nil)
        #expect(schedule["time_zone"] == "UTC")
    }

    @Test(arguments: ["", "6", "h", "hourly", "-1h", "AUTO", "6h,"])
    func aWordThatIsNoScheduleIsRefused(word: String) {
        #expect(throws: ClientFailure.self) { try ScheduleWords.schedule(word, zone: nil) }
    }

    @Test(arguments: [
        (["3"], #"{"last":3}"#), (["30d"], #"{"for":"30d"}"#),
        (["3", "30d"], #"{"last":3,"for":"30d"}"#), (["30d", "3"], #"{"for":"30d","last":3}"#),
    ])
    func keepTakesANumberAndATime(texts: [String], rule: String) throws {
        #expect(try ScheduleWords.keep(texts)?.text == rule)
    }

    @Test func nothingIsKeptByItself() throws { #expect(try ScheduleWords.keep([]) == nil) }

    @Test(arguments: [["3", "4"], ["1d", "2d"], ["some"], ["1.5"], ["3,4"]])
    func aRuleThatIsNoneIsRefused(texts: [String]) {
        #expect(throws: ClientFailure.self) { try ScheduleWords.keep(texts) }
    }

    /// A name begins with a letter or digit and has letters, digits and `.`, `_`, `-` only.
    @Test(arguments: [
        ("https://files.example/list.csv", "list.csv"),
        ("https://files.example/a/b/List_2.csv?x=1/2#c/d", "List_2.csv"),
        ("https://files.example", "files.example"), ("https://files.example/", "files.example"),
        ("https://h/%20a b", "20a-b"), ("https://h/.hidden", "hidden"), ("https://h/---", "source"),
        ("https://h/é", "source"), ("https://h/aé", "a--"), ("https://h:8080", "h-8080"),
        ("", "source"),
    ])
    func aSourceIsNamedAfterItsURL(url: String, name: String) {
        #expect(ScheduleWords.name(for: url) == name)
    }

    @Test func aLongNameIsCut() {
        let name = ScheduleWords.name(for: "https://h/" + String(repeating: "x", count: 400))
        #expect(name.utf8.count == 128)
    }

    @Test(arguments: [
        (#"{"every":"6h"}"#, "every 6h"), (#"{"every":"auto"}"#, "as often as it changes"),
        (#"{"cron":"0 2 * * *","time_zone":"Asia/Tokyo"}"#, "0 2 * * * (Asia/Tokyo)"),
    ])
    func aScheduleIsPrintedInWords(document: String, words: String) throws {
        #expect(ScheduleWords.text(try JSON.parse(document)) == words)
    }

    @Test(arguments: [
        (#"{"last":1}"#, "the last one"), (#"{"last":3}"#, "the last 3"),
        (#"{"last":3,"for":"30d"}"#, "the last 3 and those younger than 30d"),
    ])
    func whatIsKeptIsPrintedInWords(document: String, words: String) throws {
        #expect(ScheduleWords.text(ofKeep: try JSON.parse(document)) == words)
    }
}
