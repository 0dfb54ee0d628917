// `lull limit` and `lull night`: a change keeps everything else of the policy.
import Base
import Client
import Testing

@Suite struct PolicyShortcutTests {
    private static let other = #"""
        {"time_zone": "Europe/Berlin", "windows": {"noon": ["12:00-13:00"]},
         "bandwidth": {"per_app": {"a": "1MB"}},
         "rules": [{"name": "r", "require": ["window noon"]}]}
        """#

    private static func object(_ text: String) throws -> JSONObject {
        try #require(try JSON.parse(text).objectValue)
    }

    @Test func aLimitIsMergedAndTakenAway() throws {
        let before = try Self.object(Self.other)
        let limited = PolicyShortcut.limit(before, rate: "5MB")
        #expect(limited.document["bandwidth"]?["deployment"] == "5MB")
        #expect(limited.document["bandwidth"]?["per_app"]?["a"] == "1MB")
        #expect(limited.changes.count == 1 && limited.changes[0].hasPrefix("bandwidth: "))
        let after = try #require(limited.document.objectValue)
        #expect(PolicyShortcut.limit(after, rate: "5MB").changes.isEmpty)
        #expect(PolicyShortcut.limit(after, rate: "off").document == .object(before))
        let empty = PolicyShortcut.limit(JSONObject(), rate: "off")
        #expect(empty.document == .object(JSONObject()) && empty.changes.isEmpty)
    }

    @Test(arguments: [
        ("22-6", "22:00-06:00"), ("22:30-6:15", "22:30-06:15"), ("0-24", "00:00-24:00"),
    ])
    func aNightIsMergedAndTakenAway(hours: String, window: String) throws {
        let before = try Self.object(Self.other)
        let night = try PolicyShortcut.night(before, hours: hours, zone: "UTC", isForAll: false)
        #expect(night.document["windows"]?["night"] == [.string(window)])
        #expect(night.document["windows"]?["noon"] == ["12:00-13:00"])
        #expect(night.document["time_zone"] == "Europe/Berlin")
        let rules = try #require(night.document["rules"]?.arrayValue)
        #expect(rules.count == 2 && rules[1]["match"]?["is_discretionary"] == true)
        let after = try #require(night.document.objectValue)
        let again = try PolicyShortcut.night(after, hours: hours, zone: nil, isForAll: true)
        #expect(again.document["rules"]?.arrayValue?.count == 2)
        #expect(again.document["rules"]?[1]?["match"] == nil)
        let off = try PolicyShortcut.night(after, hours: "off", zone: nil, isForAll: false)
        #expect(off.document == .object(before))
    }

    @Test func theZoneOfTheMachineIsSetWhereThereIsNone() throws {
        let night = try PolicyShortcut.night(
            JSONObject(), hours: "22-6", zone: "Asia/Tokyo", isForAll: false)
        #expect(night.document["time_zone"] == "Asia/Tokyo")
        #expect(night.changes.map { $0.prefix { $0 != ":" } } == ["time_zone", "windows", "rules"])
    }

    @Test(arguments: ["", "22", "22-", "25-6", "22-22", "22:60-6", "a-b", "22-6-7", "24:30-6"])
    func hoursThatAreNoneAreRefused(hours: String) {
        #expect(throws: ClientFailure.self) {
            try PolicyShortcut.night(JSONObject(), hours: hours, zone: nil, isForAll: false)
        }
    }
}
