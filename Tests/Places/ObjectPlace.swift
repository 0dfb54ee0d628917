// A place for content that is no folder: objects in a store that answers late, or not.
package import Base
package import Content
package import Downloads
internal import Platform
internal import Synchronization

/// The content of all replicas as objects in one store.
///
/// A body is sent in pieces, a few with each call, and continues behind the last one that has
/// arrived, whoever sent it.
package struct ObjectPlace: ContentPlace {
    private static let pieceBytes: Int64 = 16 << 10
    /// The most pieces that a call sends for one body.
    private static let piecesAtMost = 2
    private static let page = 3

    /// The bodies that this process is sending.
    private final class Sending: Sendable {
        let names = Mutex<Set<ContentName>>([])
    }

    /// The identifier by which rows refer to the store.
    package let identifier: Identifier
    /// The store.
    package let objects: ObjectStore
    private let sending = Sending()
    private let lane = FileLane(label: "objects")

    /// Creates the place of a store.
    package init(of objects: ObjectStore, identifier: Identifier) {
        self.objects = objects
        self.identifier = identifier
    }

    /// False: the store is elsewhere.
    package var isOnDataVolume: Bool { false }

    private static func unanswered(_: ObjectStore.NoAnswer) -> PlaceError {
        PlaceError(.unavailable, "the store of objects does not answer")
    }

    // MARK: - Publishing

    /// Sends the next pieces of each body.
    package func publish(_ batch: [FinishedContent]) async -> [Publication] {
        var answers: [Publication] = []
        for item in batch {
            sending.names.withLock { _ = $0.insert(item.name) }
            let answer = await publish(item)
            switch answer {
            case .published, .failed:
                sending.names.withLock { _ = $0.remove(item.name) }
                await release(item)
            case .underway, .unanswered: break
            }
            answers.append(answer)
        }
        return answers
    }

    private func publish(_ item: FinishedContent) async -> Publication {
        let key = ObjectPlace.key(item.name)
        do throws(ObjectStore.NoAnswer) {
            if let object = try await objects.look(key) {
                let isSame = object.sha256 == item.sha256 && object.length == item.length
                return isSame
                    ? .published : .failed(PlaceError(.taken, "another object has the key"))
            }
            var next = try await objects.uploaded(key)
            for _ in 0..<ObjectPlace.piecesAtMost where next < item.length {
                let end = min(item.length, next + ObjectPlace.pieceBytes)
                switch await piece(of: item, from: next, to: end) {
                case .success(let piece): try await objects.append(piece, to: key, at: next)
                case .failure(let error): return .failed(error)
                }
                next = end
            }
            guard next >= item.length else { return .underway }
            let isProved = try await objects.complete(
                key, length: item.length, sha256: item.sha256)
            return isProved
                ? .published : .unanswered(PlaceError(.damaged, "other bytes have arrived"))
        } catch {
            return .unanswered(ObjectPlace.unanswered(error))
        }
    }

    private func piece(
        of item: FinishedContent, from start: Int64, to end: Int64
    ) async -> Result<[UInt8], PlaceError> {
        await lane.run {
            do throws(ContentError) {
                return .success(try item.part.bytes(from: start, to: end))
            } catch {
                return .failure(PlaceError(error))
            }
        }
    }

    private func release(_ item: FinishedContent) async {
        await lane.run {
            // A part that stays is found by the sweep of the data directory.
            do throws(ContentError) { try item.part.release() } catch {}
        }
    }

    // MARK: - Reading and removing

    /// The bytes of a range, in the order in which they are asked for.
    private actor Reader {
        private let objects: ObjectStore
        private let key: String
        private var next: Int64
        private let end: Int64

        init(_ objects: ObjectStore, _ key: String, from next: Int64, to end: Int64) {
            self.objects = objects
            self.key = key
            self.next = next
            self.end = end
        }

        func piece() async throws(PlaceError) -> [UInt8]? {
            guard next < end else { return nil }
            let last = min(end, next + ObjectPlace.pieceBytes) - 1
            do throws(ObjectStore.NoAnswer) {
                if let piece = try await objects.read(key, next...last) {
                    next = last + 1
                    return piece
                }
            } catch {
                throw ObjectPlace.unanswered(error)
            }
            throw PlaceError(.missing, "the object is gone")
        }
    }

    /// Opens an object, which is read piece by piece.
    package func open(
        _ name: ContentName, _ wish: ReadingWish
    ) async throws(PlaceError) -> ContentReading {
        let key = ObjectPlace.key(name)
        let object: ObjectStore.Object?
        do throws(ObjectStore.NoAnswer) {
            object = try await objects.look(key)
        } catch {
            throw ObjectPlace.unanswered(error)
        }
        guard let object else { throw PlaceError(.missing, "there is no such object") }
        let reader = Reader(
            objects, key, from: wish.range?.lowerBound ?? 0,
            to: wish.range.map { $0.upperBound + 1 } ?? object.length)
        return .chunks(
            ContentChunks(length: object.length) { () async throws(PlaceError) -> [UInt8]? in
                try await reader.piece()
            })
    }

    /// Orders the removal of objects.
    package func remove(_ names: [ContentName]) async -> [Removal] {
        var answers: [Removal] = []
        for name in names {
            do throws(ObjectStore.NoAnswer) {
                let isGone = try await objects.remove(ObjectPlace.key(name))
                answers.append(isGone ? .gone : .underway)
            } catch {
                answers.append(.failed(ObjectPlace.unanswered(error)))
            }
        }
        return answers
    }

    /// Copies an object.
    package func share(
        _ name: ContentName, as others: [ContentName], length: Int64
    ) async throws(PlaceError) {
        var isThere = true
        do throws(ObjectStore.NoAnswer) {
            isThere = try await objects.look(ObjectPlace.key(name))?.length ?? -1 >= length
            for other in others where isThere {
                isThere = try await objects.copy(
                    ObjectPlace.key(name), to: ObjectPlace.key(other))
            }
        } catch {
            throw ObjectPlace.unanswered(error)
        }
        guard isThere else { throw PlaceError(.missing, "there is no such object") }
    }

    /// Looks for objects.
    package func sight(_ wanted: [WantedContent]) async -> [MissingFiles.Presence] {
        var answers: [MissingFiles.Presence] = []
        for item in wanted {
            do throws(ObjectStore.NoAnswer) {
                answers.append(try await presence(of: item))
            } catch {
                answers.append(.unreadable)
            }
        }
        return answers
    }

    private func presence(
        of item: WantedContent
    ) async throws(ObjectStore.NoAnswer) -> MissingFiles.Presence {
        let key = ObjectPlace.key(item.name)
        if let object = try await objects.look(key) {
            return object.length == item.length ? .there : .missing
        }
        for object in try await objects.list("resting/", after: nil, limit: .max)
        where object.key.hasSuffix("/\(item.name)") && object.length == item.length {
            if try await objects.move(object.key, to: key) { return .there }
        }
        return .missing
    }

    /// Does nothing: a missing object is the store's own answer.
    package func giveUpMissing() async throws(PlaceError) {}

    // MARK: - Sweeping

    /// Lists a few objects by their keys, and on the first page what has arrived of further ones.
    package func list(
        _ area: StoredArea, after cursor: String?
    ) async throws(PlaceError) -> StoredPage {
        let prefix = area == .current ? "current/" : "resting/"
        do throws(ObjectStore.NoAnswer) {
            let found = try await objects.list(prefix, after: cursor, limit: ObjectPlace.page)
            var files = found.compactMap { ObjectPlace.file($0, isPart: false) }
            if area == .current, cursor == nil {
                files += try await objects.uploads().compactMap {
                    ObjectPlace.file($0, isPart: true)
                }
            }
            let next = found.count == ObjectPlace.page ? found.last?.key : nil
            return StoredPage(files: files, next: next)
        } catch {
            throw ObjectPlace.unanswered(error)
        }
    }

    /// Erases objects at once.
    package func clear(_ files: [StoredFile]) async -> [StoredFile] {
        await each(files) { file throws(ObjectStore.NoAnswer) in
            if file.isPart, sending.names.withLock({ $0.contains(file.name) }) { return false }
            return try await objects.erase(ObjectPlace.key(file), isUpload: file.isPart)
        }
    }

    /// Gives objects keys that no reader asks for.
    package func isolate(_ files: [StoredFile], since hour: Int64) async -> [StoredFile] {
        await each(files) { file throws(ObjectStore.NoAnswer) in
            guard !file.isPart else {
                return try await objects.erase(ObjectPlace.key(file), isUpload: true)
            }
            return try await objects.move(
                ObjectPlace.key(file), to: ObjectPlace.key(file.resting(since: hour)))
        }
    }

    /// Gives objects their keys back.
    package func takeBack(_ files: [StoredFile]) async -> [StoredFile] {
        await each(files) { file throws(ObjectStore.NoAnswer) in
            try await objects.move(ObjectPlace.key(file), to: ObjectPlace.key(file.name))
        }
    }

    private func each(
        _ files: [StoredFile],
        _ body: (StoredFile) async throws(ObjectStore.NoAnswer) -> Bool
    ) async -> [StoredFile] {
        var done: [StoredFile] = []
        for file in files {
            do throws(ObjectStore.NoAnswer) { if try await body(file) { done.append(file) } } catch
            {}
        }
        return done
    }

    // MARK: - Keys

    private static func key(_ name: ContentName) -> String { "current/\(name)" }

    /// The key of a listed file; all hours have so many digits that keys follow their order.
    private static func key(_ file: StoredFile) -> String {
        guard let hour = file.restsSince else { return key(file.name) }
        let digits = String(hour)
        return "resting/" + String(repeating: "0", count: max(0, 19 - digits.count)) + digits
            + "/\(file.name)"
    }

    private static func file(_ object: ObjectStore.Object, isPart: Bool) -> StoredFile? {
        let parts = object.key.split(separator: "/")
        guard let name = ContentName(parsing: String(parts.last ?? "")) else { return nil }
        return StoredFile(
            name: name, isPart: isPart, length: object.length,
            modifiedSeconds: object.modifiedSeconds,
            restsSince: parts.count > 2 ? Int64(parts[1]) : nil)
    }
}
