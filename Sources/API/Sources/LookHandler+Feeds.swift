// Reads the documents of feeds, and queues their items.
package import Base
internal import Downloads
internal import HTTPWire
internal import Platform
package import Scheduling
package import Store
internal import Synchronization

extension LookHandler {
    /// The document that the look of a feed has brought, from the replica or the place that has it.
    ///
    /// - Parameters:
    ///   - record: the download of the look, which has succeeded.
    ///   - source: the source.
    /// - Returns: the bytes, or why there are none.
    package func content(
        of record: DownloadRecord, for source: SourceRecord
    ) async -> FeedContent {
        do throws(Problem) {
            let response = try await contents.answer(
                record, ContentReading(app: source.app, needsBytes: true), call(for: source))
            guard let bytes = await LookHandler.bytes(of: response.body) else {
                return .unavailable("its content ended early")
            }
            return .bytes(bytes)
        } catch {
            switch error.kind {
            case .contentExpired, .contentLost, .contentChanged, .contentNotReady:
                return .gone(error.kind.rawValue)
            default: return .unavailable(error.detail)
            }
        }
    }

    /// The bytes of a body of at most 8 MiB; nil if it cannot be read whole.
    private static func bytes(of body: Body) async -> [UInt8]? {
        guard let length = body.length, length <= Int64(Feed.bytesAtMost) else { return nil }
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .file(let file):
            return withExtendedLifetime(file) {
                PositionedRead.bytes(
                    of: file.descriptor, at: file.offset, count: Int(file.length))
            }
        case .stream(let stream):
            let taken = Mutex<[UInt8]>([])
            await stream.produce(
                BodyWriter { bytes in
                    taken.withLock { taken in
                        guard Int64(taken.count + bytes.count) <= length else { return false }
                        taken += bytes
                        return true
                    }
                })
            let bytes = taken.withLock(\.self)
            return Int64(bytes.count) == length ? bytes : nil
        }
    }

    /// Queues the items that a look wants, in their order, each with its key in one transaction.
    ///
    /// The look may be handled once more, by this replica or another one: items that were queued
    /// stay as they are, and keep their numbers.
    ///
    /// - Parameters:
    ///   - items: the items, the oldest first.
    ///   - source: the source as it was read.
    ///   - look: the download of the look.
    ///   - before: the number of items that the look has queued already.
    /// - Returns: what became of them.
    /// - Throws: `unavailable`, `overloaded` or `refused`: some may be queued.
    package func queue(
        _ items: [ChosenItem], of source: SourceRecord, by look: Identifier, after before: Int64
    ) async throws(StoreError) -> QueuedItems {
        var queued = QueuedItems()
        let template: SourceTemplate
        do throws(Problem) {
            template = try looks.template(of: source)
        } catch {
            queued.fault = error.kind.rawValue
            return queued
        }
        let call = call(for: source)
        for (place, choice) in items.enumerated() {
            let item = SourceItem(choice)
            do throws(Problem) {
                var new = try await looks.item(
                    template, item.url, after: choice.delay, source.spec, of: source.identifier,
                    number: source.known.items + before + Int64(queued.stored) + 1, call)
                new.download.spec.requestID = nil
                new.item = ItemClaim(item, of: source, by: look)
                guard try await submit(new) else {
                    queued.left = items.count - place
                    return queued
                }
                queued.stored += 1
            } catch {
                switch error.kind {
                case .databaseUnavailable, .overloaded, .internalError:
                    throw StoreError(.unavailable, error.detail)
                case .sessionInvalidated:
                    endpoints.sessions.cache.forget(
                        app: source.app, identifier: source.spec.session)
                    queued.fault = error.kind.rawValue
                    return queued
                default: queued.refused.append((item.key, error.kind.rawValue))
                }
            }
        }
        return queued
    }

    /// Stores the download of an item; returns whether the app has room for it.
    private func submit(_ new: NewDownload) async throws(Problem) -> Bool {
        do throws(StoreError) {
            if try await endpoints.intake.submit(new, idempotency: nil) == .mine {
                endpoints.wake(for: [new])
            }
            return true
        } catch {
            guard error.code != .queueFull else { return false }
            throw Problem(error)
        }
    }
}
