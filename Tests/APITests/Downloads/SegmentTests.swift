// The number of streams that a download may have: its own value, its session's, or the
// deployment's.
import Base
import Testing

@testable import API

@Suite struct SegmentTests {
    @Test func segmentsOfADownloadOverrideItsSession() async throws {
        try await APIWorld.with { world in
            let session = await world.send("PUT", "/v1/sessions/wide", #"{"segments":4}"#)
            #expect(session.status == 201 && session.json["configuration"]?["segments"] == 4)
            let plain = await world.create(#""session":"wide""#)
            #expect(plain.json["segments"] == 4, "\(plain.text)")
            let own = await world.create(#""session":"wide","segments":2"#)
            #expect(own.json["segments"] == 2)
            let path = try #require(own["Location"])
            await #expect(world.send("GET", path).json["segments"] == 2)
            let neither = await world.create(#""task_description":"x""#)
            #expect(neither.json["segments"] == 1)
        }
    }

    @Test(arguments: ["0", "9", "1.5", "\"4\""])
    func refusesOtherNumbersOfSegments(value: String) async throws {
        try await APIWorld.with { world in
            let made = await world.create(#""segments":\#(value)"#)
            #expect(made.status == 422 && made.pointers == ["#/segments"])
            let session = await world.send("PUT", "/v1/sessions/s", #"{"segments":\#(value)}"#)
            #expect(session.status == 422 && session.pointers == ["#/segments"])
        }
    }
}
