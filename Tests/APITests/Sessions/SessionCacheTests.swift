// The cache of sessions must never outlive a change.
import Base
import Postgres
import Store
import Testing

@testable import API

@Suite struct SessionCacheTests {
    @Test func entriesExpireAndAreInvalidated() async throws {
        try await APIWorld.with { world in
            let record = try #require(
                await Sessions(pool: world.pool).find(app: 1, identifier: "default"))
            let cache = SessionCache()
            let now = Timestamp(seconds: 1000)
            func isKnown(_ instant: Timestamp, app: Int64 = 1) -> Bool {
                cache.find(app: app, identifier: "default", now: instant) != nil
            }
            cache.keep(record, app: 1, readAt: now, changes: cache.changes)
            #expect(isKnown(now) && isKnown(now + .milliseconds(1999)))
            #expect(!isKnown(now + .seconds(2)) && !isKnown(now - .milliseconds(1)))
            #expect(!isKnown(now, app: 2))
            let before = cache.changes
            cache.forget(app: 1, identifier: "default")
            #expect(!isKnown(now))
            // A read that began before the change must not bring the old record back.
            cache.keep(record, app: 1, readAt: now, changes: before)
            #expect(!isKnown(now))
        }
    }
}
