// Uploads on a disk that is full, or becomes full while their bytes arrive.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FullDiskTests {
        private static let settings = ["LULL_MIN_FREE_BYTES": "1MiB"]
        private static let megabyte = 1 << 20

        @Test(.mountsVolumes, .timeLimit(.minutes(5)))
        func aFullDiskIsToldAndUploadsGoOnOnceThereIsRoom() async throws {
            try await World.with(settings: Self.settings, wrapper: SmallVolume.wrapper) { world in
                try await Taker.with(in: world.scratch) { taker in
                    let volume = try await SmallVolume(world)
                    try await aLengthThatDoesNotFitIsRefused(world, taker, volume)
                    try await reservedRoomStays(world, taker, volume)
                    try await aDiskThatFillsUpEndsARequest(world, taker, volume)
                    #expect(try await volume.parts() == [])
                }
            }
        }

        private func expectNoRoom(_ answer: (status: String, body: String)) {
            #expect(answer.status == "507", "\(answer.body)")
            #expect(answer.body.contains("insufficient-storage"), "\(answer.body)")
        }

        private func aLengthThatDoesNotFitIsRefused(
            _ world: World, _ taker: Taker, _ volume: SmallVolume
        ) async throws {
            let free = try await volume.free()
            for length in [free - Self.megabyte / 2, free + 1, 1 << 40] {
                let json =
                    #"{"destination":{"url":"\#(taker.bases[0])/whole/a"},"length":\#(length)}"#
                let answer = try await Curl.send(
                    "POST", "\(world.lull.base)/v1/uploads", json: json)
                expectNoRoom(("\(answer.status)", answer.body))
            }
            #expect(try await volume.free() == free)
            #expect(try await volume.parts() == [])
            let list = try await Curl.get("\(world.lull.base)/v1/uploads").body
            #expect(!list.contains("up_"), "\(list)")
        }

        /// Waits until the service has read that the disk is full: by its last reading it decides.
        private func expectReadingOfFullDisk(_ world: World) async throws {
            struct Overview: Decodable {
                struct Room: Decodable {
                    var free_bytes: Int
                    var reserve_bytes: Int
                }

                var room: Room?
            }
            try await eventually("a reading of the full disk") {
                let shown = try await Curl.get("\(world.lull.base)/v1/overview").body
                let room = try JSONDecoder().decode(Overview.self, from: Data(shown.utf8)).room
                return room.map { $0.free_bytes < $0.reserve_bytes } == true ? () : nil
            }
        }

        /// The room of a create is kept while others fill the disk; what needs more waits.
        private func reservedRoomStays(
            _ world: World, _ taker: Taker, _ volume: SmallVolume
        ) async throws {
            let client = UploadClient(base: world.lull.base)
            let length = 8 * Self.megabyte
            let digest = try await world.origin.makeFile("eight", length: length)
            let file = world.origin.files + "/eight"
            let free = try await volume.free()
            let made = try await client.create(length, to: "\(taker.bases[0])/whole/eight")
            #expect(try await volume.free() == free - length)
            try await volume.fill(leaving: 0)
            try await expectReadingOfFullDisk(world)
            let half = length / 2
            let first = try await client.patch(file, 0..<half, to: made.content.href)
            #expect(first.status == "204", "\(first.body)")
            // A piece with a checksum lies beside the file until it is proved.
            expectNoRoom(
                try await client.patch(
                    file, half..<half + Self.megabyte, to: made.content.href, checksum: true))
            #expect(try await client.offset(of: made.content.href) == half)
            #expect(try await client.find(made.id).state == "receiving")
            let last = try await client.patch(file, half..<length, to: made.content.href)
            #expect(last.status == "204", "\(last.body)")
            // Below the reserve no download begins, and that is told.
            let waiting = try await world.client.create(
                LullClient.Order(
                    url: "\(world.origin.base)/eight", countOfBytesClientExpectsToReceive: length))
            try await eventually("the blocker of the full disk") {
                let blockers = try await world.client.download(waiting.id).blockers ?? []
                return blockers.contains { $0.code == "disk_reserve" } ? () : nil
            }
            // A file that is sent makes room.
            let end = try await client.find(made.id, wait: 60)
            #expect(end.state == "succeeded", "\(end)")
            #expect(try await taker.digest(of: "eight") == digest)
            try await volume.clear()
            let received = try await world.client.download(waiting.id, wait: 60)
            #expect(received.state == "succeeded")
            #expect(try await world.client.release(waiting.id) == 204)
        }

        /// The room of an upload whose bytes were removed may go to others, so that the disk is
        /// full while its bytes arrive.
        private func aDiskThatFillsUpEndsARequest(
            _ world: World, _ taker: Taker, _ volume: SmallVolume
        ) async throws {
            let client = UploadClient(base: world.lull.base)
            let length = 6 * Self.megabyte
            let digest = try await world.origin.makeFile("six", length: length)
            let file = world.origin.files + "/six"
            let made = try await client.create(length, to: "\(taker.bases[0])/whole/six")
            let href = made.content.href
            let first = try await client.patch(file, 0..<100, to: href)
            #expect(first.status == "204", "\(first.body)")
            try await volume.fill(leaving: 0)
            // A PUT begins anew and reserves the room once more, of which a part must stay free.
            expectNoRoom(try await client.put(file, to: href))
            #expect(try await client.offset(of: href) == 0)
            try await volume.clear()
            try await volume.fill(leaving: 3 * Self.megabyte)
            expectNoRoom(try await client.patch(file, 0..<length, to: href))
            let offset = try await client.offset(of: href)
            #expect((1...3 * Self.megabyte).contains(offset), "\(offset)")
            expectNoRoom(try await client.patch(file, offset..<length, to: href))
            let shown = try await client.find(made.id)
            #expect(shown.state == "receiving" && shown.content.state == "receiving", "\(shown)")
            #expect(try taker.requests(of: "six").isEmpty, "nothing is sent that is not whole")
            try await volume.clear()
            let kept = try await client.offset(of: href)
            #expect(kept >= offset)
            let last = try await client.patch(file, kept..<length, to: href)
            #expect(last.status == "204", "\(last.body)")
            let end = try await client.find(made.id, wait: 60)
            #expect(end.state == "succeeded", "\(end)")
            #expect(try await taker.digest(of: "six") == digest)
        }
    }
}
