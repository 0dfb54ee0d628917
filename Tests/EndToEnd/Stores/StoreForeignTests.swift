// Object stores that Lull's authors did not write.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct StoreForeignTests {
        @Test(.timeLimit(.minutes(5)))
        func seaweedTakesFilesAndHonoursConditions() async throws {
            try await StoreWorld.with(.weed) { store in
                for length in [0, 1000, 16 << 20, (16 << 20) + 1] {
                    let (id, _) = try await store.create(
                        "f\(length)", length: length, to: #"{"name":"cold"}"#)
                    let end = try await store.client.settled(id)
                    #expect(end.state == "succeeded", "\(end)")
                    let isWhole = try await store.world.client.hasContent(
                        id, equalTo: "\(store.world.origin.files)/f\(length)")
                    #expect(isWhole)
                }
                let (id, _) = try await store.create(
                    "other", length: 10, to: #"{"name":"cold","path":"f1000"}"#)
                let end = try await store.client.settled(id)
                #expect(end.error?.code == "destination_conflict", "\(end)")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func rcloneIgnoresConditionsAndOnlyReplaces() async throws {
            try await StoreWorld.with(.rclone, "&checksum=none") { store in
                let (id, _) = try await store.create(
                    "a", length: 10, to: #"{"name":"cold","path":"a"}"#)
                let end = try await store.client.settled(id)
                #expect(end.error?.code == "destination_unavailable", "\(end)")
                for length in [1000, 20_000_000] {
                    let (id, _) = try await store.create(
                        "b\(length)", length: length,
                        to: #"{"name":"cold","path":"a","on_conflict":"replace"}"#)
                    #expect(try await store.client.settled(id).state == "succeeded")
                    let isWhole = try await store.world.client.hasContent(
                        id, equalTo: "\(store.world.origin.files)/b\(length)")
                    #expect(isWhole)
                }
            }
        }
    }
}
