// Bodies: whole, paused, refused, cut.
import Base
import Downloads
import Support
import Synchronization
import Testing
import Transfers

@Suite struct BodyTests {
    @Test func smallBodyArrivesWithItsHead() async throws {
        try await withLab { _ in
            OriginStep.answer(headers: ["ETag: \"v1\"", "X-Twice: a", "X-Twice: b"], body: "hello")
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url("/a/../b?x=1#f"))
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.text == "hello")
            #expect(result.bodyBytes == 5)
            #expect(result.head?.status == 200)
            #expect(result.head?.etag == "\"v1\"")
            #expect(result.head?.fields.filter { $0.name == "x-twice" }.map(\.value) == ["a", "b"])
            #expect(result.head?.framing.contentLength == 5)
            #expect(result.primaryAddress == "127.0.0.1")
            #expect(result.newConnections == 1)
            let seen = try #require(origin.requests.first)
            #expect(seen.target == "/b?x=1")
            #expect(seen["accept-encoding"] == "identity")
            #expect(seen["user-agent"] == "Lull/test")
            #expect(seen["expect"] == nil)
        }
    }

    /// The fields after the last chunk are read as trailers; fields of a head or of other answers
    /// are not among them.
    @Test func trailersAreSeparateFromHeaders() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: head\r\n\r\n"
        try await withLab { request in
            let trailers = request.target == "/with" ? "X-A: 1\r\nx-B:\t2 \r\nX-A: 3\r\n" : ""
            return [.send(head + "3\r\nabc\r\n0\r\n" + trailers + "\r\n")]
        } _: { engine, origin in
            let with = try await engine.fetch(origin.url("/with"))
            #expect(with.trailers.map(\.name) == ["x-a", "x-b", "x-a"])
            #expect(with.trailers.map(\.value) == ["1", "2", "3"])
            #expect(with.head?.fields.filter { $0.name == "x-a" }.map(\.value) == ["head"])
            let without = try await engine.fetch(origin.url("/without"))
            #expect(without.trailers.isEmpty && without.text == "abc")
        }
    }

    @Test(arguments: [16_384, 131_072]) func largeBodyGoesThroughTheSink(buffer: Int) async throws {
        let size = 5_000_000
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .fill(7, count: size)]
        } _: { engine, origin in
            let recorder = RecordingSink()
            let request = try request(origin.url()) { $0.bufferBytes = buffer }
            let result = await engine.run(request, id: TransferID(), into: .sink(recorder.sink))
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.bodyBytes == Int64(size))
            #expect(recorder.state.bytes.count == size)
            #expect(recorder.state.bytes.allSatisfy { $0 == 7 })
            #expect(recorder.state.heads.count == 1)
            #expect(result.buffer.isEmpty)
        }
    }

    @Test func pausedBytesAreOfferedAgain() async throws {
        let size = 300_000
        let pattern = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withLab { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .sendBytes(pattern),
            ]
        } _: { engine, origin in
            let id = TransferID()
            let recorder = RecordingSink { _ in
                .pause
            } onBytes: { _, offer in
                guard offer % 3 == 0 else { return .taken }
                // The transfer is resumed from inside the call: the pause must not outlive it.
                engine.resume(id)
                return .pause
            }
            let request = try request(origin.url()) { $0.idleTimeout = .seconds(10) }
            async let running = engine.run(request, id: id, into: .sink(recorder.sink))
            #expect(await eventually { recorder.state.heads.count == 1 })
            engine.resume(id)
            let result = await running
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(recorder.state.bytes == pattern)
            #expect(result.bodyBytes == Int64(size))
        }
    }

    /// libcurl 8.5 sees the end while a transfer is paused, and drops the bytes that it has not
    /// handed over.
    @Test func pausedBytesOutlastTheConnection() async throws {
        try await withLab { request in
            request.target == "/other"
                ? OriginStep.answer(body: "other")
                : [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it"), .close]
        } _: { engine, origin in
            let id = TransferID()
            let isPatient = Mutex(true)
            let recorder = RecordingSink { _ in
                .taken
            } onBytes: { _, _ in
                isPatient.withLock { $0 } ? .pause : .taken
            }
            let request = try request(origin.url("/paused"))
            async let running = engine.run(request, id: id, into: .sink(recorder.sink))
            #expect(await eventually { recorder.state.offers == 1 })
            // The engine turns, and the end of the other connection has arrived.
            for _ in 0..<10 { _ = try await engine.fetch(origin.url("/other")) }
            isPatient.withLock { $0 = false }
            engine.resume(id)
            #expect(await running.outcome == .completed(lengthVerified: false))
            #expect(recorder.state.bytes == Array("all of it".utf8))
        }
    }

    @Test func pausedTransferIsNotIdle() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { request in
            request.target == "/silent" ? [.wait(gate)] : OriginStep.answer(body: "late")
        } _: { engine, origin in
            let id = TransferID()
            let isPatient = Mutex(true)
            let recorder = RecordingSink { _ in
                .taken
            } onBytes: { _, _ in
                isPatient.withLock { $0 } ? .pause : .taken
            }
            let request = try request(origin.url()) { $0.idleTimeout = .seconds(5) }
            async let running = engine.run(request, id: id, into: .sink(recorder.sink))
            #expect(await eventually { recorder.state.offers == 1 })
            // A silent transfer that began later ran out of time, so this one's time has passed
            // too.
            let silent = try await engine.fetch(origin.url("/silent")) {
                $0.idleTimeout = .milliseconds(5100)
            }
            #expect(silent.failure?.code == .timedOut)
            isPatient.withLock { $0 = false }
            engine.resume(id)
            #expect(await running.outcome == .completed(lengthVerified: true))
        }
    }

    @Test func sinkMayRefuseTheHeadOrTheBytes() async throws {
        try await withLab { _ in
            OriginStep.answer(body: "body")
        } _: { engine, origin in
            let early = RecordingSink { _ in .abort(reason: "no room") }
            let first = await engine.run(
                try request(origin.url()), id: TransferID(), into: .sink(early.sink))
            #expect(first.outcome == .refused(reason: "no room"))
            #expect(early.state.offers == 0)
            let late = RecordingSink { _ in
                .taken
            } onBytes: { _, _ in
                .abort(reason: "disk")
            }
            let second = await engine.run(
                try request(origin.url()), id: TransferID(), into: .sink(late.sink))
            #expect(second.outcome == .refused(reason: "disk"))
            #expect(second.bodyBytes == 0)
            #expect(second.head?.status == 200)
        }
    }

    @Test func cancelEndsABodyUnderWay() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .wait(gate)]
        } _: { engine, origin in
            let id = TransferID()
            let recorder = RecordingSink()
            async let running = engine.run(
                try request(origin.url()), id: id, into: .sink(recorder.sink))
            #expect(await eventually { recorder.state.bytes.count == 4 })
            engine.cancel(id)
            let result = try await running
            #expect(result.outcome == .cancelled)
            #expect(result.bodyBytes == 4)
            engine.cancel(id)
            let never = await engine.run(try request(origin.url()), id: id, into: .discard)
            #expect(never.outcome == .cancelled)
        }
    }

    @Test func cancelledTaskCancelsItsTransfer() async throws {
        let gate = OriginGate()
        defer { gate.open() }
        try await withLab { _ in
            [.wait(gate)]
        } _: { engine, origin in
            let request = try request(origin.url())
            let task = Task { await engine.run(request, id: TransferID(), into: .discard) }
            #expect(await eventually { origin.requests.count == 1 })
            task.cancel()
            #expect(await task.value.outcome == .cancelled)
        }
    }

    @Test func announcedAndCountedBytesAreLimited() async throws {
        try await withLab { request in
            request.target == "/chunked"
                ? [
                    .send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "6\r\nabcdef\r\n6\r\nghijkl\r\n0\r\n\r\n")
                ] : OriginStep.answer(body: "0123456789")
        } _: { engine, origin in
            let announced = try await engine.fetch(origin.url("/")) { $0.maximumBodyBytes = 9 }
            #expect(announced.failure?.code == .dataLengthExceedsMaximum)
            #expect(announced.bodyBytes == 0)
            let counted = try await engine.fetch(origin.url("/chunked")) {
                $0.maximumBodyBytes = 11
            }
            #expect(counted.failure?.code == .dataLengthExceedsMaximum)
            #expect(counted.bodyBytes <= 11)
            let exact = try await engine.fetch(origin.url("/chunked")) { $0.maximumBodyBytes = 12 }
            #expect(exact.outcome == .completed(lengthVerified: true))
            let kept = try await engine.fetch(origin.url("/"), limit: 4)
            #expect(kept.text == "0123")
            #expect(kept.bodyBytes == 10)
        }
    }

    @Test func postSendsItsBodyAndHeadHasNone() async throws {
        try await withLab { request in
            request.method == "HEAD"
                ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")]
                : OriginStep.answer("204 No Content")
        } _: { engine, origin in
            let posted = try await engine.fetch(origin.url()) {
                $0.method = .post
                $0.body = Array("{\"a\":1}".utf8)
                $0.headers = [("Content-Type", "application/json"), ("X-Empty", "")]
            }
            #expect(posted.outcome == .completed(lengthVerified: true))
            let head = try await engine.fetch(origin.url()) { $0.method = .head }
            #expect(head.outcome == .completed(lengthVerified: true))
            #expect(head.head?.framing.contentLength == 99)
            let empty = try await engine.fetch(origin.url()) { $0.method = .post }
            #expect(empty.head?.status == 204)
            let plain = try await engine.fetch(origin.url())
            #expect(plain.head?.status == 204)
            let seen = origin.requests
            #expect(seen.map(\.method) == ["POST", "HEAD", "POST", "GET"])
            #expect(String(decoding: seen[0].body, as: UTF8.self) == "{\"a\":1}")
            #expect(seen[0]["content-type"] == "application/json")
            #expect(seen[0]["x-empty"] == "")
            #expect(seen[2]["content-length"] == "0")
            #expect(seen[2]["content-type"] == nil)
        }
    }

    @Test func rangeAndValidatorAreSent() async throws {
        try await withLab { _ in
            [
                .send(
                    "HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n"
                        + "Content-Range: bytes 7-9/10\r\n\r\n789")
            ]
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url()) {
                $0.rangeStart = 7
                $0.ifRange = "\"v1\""
            }
            #expect(result.outcome == .completed(lengthVerified: true))
            #expect(result.head?.framing.contentRange?.bytes == 7...9)
            #expect(result.head?.framing.contentRange?.total == 10)
            #expect(origin.requests.first?["range"] == "bytes=7-")
            #expect(origin.requests.first?["if-range"] == "\"v1\"")
        }
    }
}
