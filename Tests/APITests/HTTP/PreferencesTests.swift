// The preferences of a client in the Prefer field.
import HTTPWire
import Testing

@testable import API

@Suite struct PreferencesTests {
    private func read(_ fields: String...) -> Preferences {
        var headers = HeaderFields()
        for field in fields { headers.append("prefer", field) }
        return Preferences(headers)
    }

    @Test(arguments: [
        ("wait=30", 30), ("Wait = \"7\"", 7), ("respond-async, wait=10; x=y", 10), ("wait=61", 60),
        ("wait=99999999999999999999", 60), ("wait=0", 0), ("wait=5, wait=6", 5),
    ]) func readsWait(field: String, seconds: Int) {
        #expect(read(field).wait == seconds)
    }

    @Test(arguments: ["wait", "wait=", "wait=-1", "wait=1.5", "wait=x", "", ",", "waits=3"])
    func ignoresOtherWaits(field: String) {
        #expect(read(field).wait == nil)
    }

    @Test func sendsPreferenceApplied() {
        #expect(read("handling=strict").applied.isEmpty)
        let both = read("respond-async", "wait=90").applied
        #expect(both.map(\.0) == ["Preference-Applied"])
        #expect(both.map(\.1) == ["respond-async, wait=60"])
    }
}
