// Descriptors come and go under one number, and libcurl tells of it early or late.
import Glibc
import Platform
import Testing

@testable import Transfers

@Suite struct SocketSetTests {
    private static let wantsIn: Int32 = 1
    private static let remove: Int32 = 4

    /// The two ends of a stream; the first has a chosen number.
    private static func pair() throws -> (near: Int32, far: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue)
        try retryingInterrupts { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return (ends[0], ends[1])
    }

    /// Calls a body with an empty set.
    private func withSet(_ body: (SocketSet) throws -> Void) throws {
        let loop = EventLoop(label: "test")
        try body(try SocketSet(waker: try loop.makeWaker()))
        withExtendedLifetime(loop) {}
    }

    private func say(_ text: String, to descriptor: Int32) throws {
        let bytes = Array(text.utf8)
        try retryingInterrupts {
            unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    @Test func reportsReadySockets() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            defer { _ = (close(near), close(far)) }
            #expect(sockets.watch(near, for: Self.wantsIn))
            #expect(sockets.wait(milliseconds: 0) == 0)
            try say("x", to: far)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0)?.socket == near)
            #expect(sockets.event(at: 0)?.action == 1)
            #expect(sockets.wait(milliseconds: 0) == 1, "nobody read it")
            #expect(sockets.watch(near, for: Self.remove))
            #expect(sockets.wait(milliseconds: 0) == 0)
            #expect(!sockets.isBroken)
        }
    }

    @Test func staleEventIsNotDeliveredToAReusedDescriptor() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            #expect(sockets.watch(near, for: Self.wantsIn))
            try say("x", to: far)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.watch(near, for: Self.remove))
            let (next, other) = try Self.pair()
            defer { _ = (close(near), close(far), close(other)) }
            #expect(dup2(next, near) == near)
            _ = close(next)
            #expect(sockets.watch(near, for: Self.wantsIn))
            #expect(sockets.event(at: 0) == nil)
            try say("y", to: other)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0)?.socket == near)
        }
    }

    @Test func reusedDescriptorIsWatchedAgain() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            #expect(sockets.watch(near, for: Self.wantsIn))
            let (next, other) = try Self.pair()
            defer { _ = (close(near), close(far), close(other)) }
            // The kernel forgets the first descriptor here, and no call told the set.
            #expect(dup2(next, near) == near)
            _ = close(next)
            #expect(sockets.watch(near, for: Self.wantsIn))
            try say("y", to: other)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0)?.socket == near)
            #expect(!sockets.isBroken)
        }
    }

    @Test func closedDescriptorCanBeRemovedLater() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            #expect(sockets.watch(near, for: Self.wantsIn))
            _ = (close(near), close(far))
            #expect(sockets.watch(near, for: Self.remove))
            #expect(sockets.watch(near, for: Self.remove), "twice is once")
            #expect(!sockets.isBroken)
        }
    }

    /// libcurl 8.5 goes on waiting for the sockets of paused transfers.
    @Test func heldSocketIsReportedAfterThePause() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            defer { _ = (close(near), close(far)) }
            #expect(sockets.watch(near, for: Self.wantsIn))
            sockets.hold(near)
            try say("x", to: far)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0) == nil)
            #expect(sockets.wait(milliseconds: 0) == 0, "it is looked at once a pause")
            #expect(sockets.watch(near, for: Self.wantsIn))
            #expect(sockets.wait(milliseconds: 0) == 0, "libcurl's wish does not end the pause")
            sockets.release(near)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0)?.socket == near)
            #expect(!sockets.isBroken)
        }
    }

    @Test func heldSocketThatIsGivenUpIsWatchedAnew() throws {
        try withSet { sockets in
            let (near, far) = try Self.pair()
            defer { _ = (close(near), close(far)) }
            #expect(sockets.watch(near, for: Self.wantsIn))
            sockets.hold(near)
            try say("x", to: far)
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0) == nil)
            #expect(sockets.watch(near, for: Self.remove))
            #expect(sockets.watch(near, for: Self.wantsIn))
            #expect(sockets.wait(milliseconds: 10_000) == 1)
            #expect(sockets.event(at: 0)?.socket == near)
            #expect(!sockets.isBroken)
        }
    }

    @Test func watchErrorIsReported() throws {
        try withSet { sockets in
            // No process has a descriptor of this number open; a closed one may already be another
            // test's. The set has room for all numbers below.
            #expect(!sockets.watch(1 << 22, for: Self.wantsIn))
            #expect(sockets.isBroken)
        }
    }
}
