// Threads for blocking sockets; a Dispatch queue would run only 64 of them at a time.
internal import Glibc
internal import Platform

/// Starts detached threads.
enum OriginThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a closure on a thread of its own.
    static func start(_ run: @escaping @Sendable () -> Void) throws(Errno) {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run: run))
        let failure = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, unsafe body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            throw Errno(rawValue: failure)
        }
        pthread_detach(thread)
    }
}
