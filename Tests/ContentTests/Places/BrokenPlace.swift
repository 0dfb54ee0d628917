// Places with one fault each, which the properties have to notice.
import Base
import Content
import Downloads
import Places

/// A fault of a place, and the property that does not hold with it.
enum PlaceFault: CaseIterable {
    case saysPublishedTooEarly, showsHalfContent, publishesShortBodies, failsTheSecondTime
    case replacesContent, forgetsAfterALostAnswer, ignoresRanges, removesNothing
    case failsToRemoveTwice, sharesByMoving, failsToShareTwice, sharesMissingContent
    case hidesAFile, clearsEverything, restsInSight, losesRestingFiles, overwritesOnReturn
    case seesEverything, losesContentInACrash, showsHalfContentAfterACrash

    var property: PlaceProperty {
        switch self {
        case .saysPublishedTooEarly: .publishedContentIsRead
        case .showsHalfContent: .unfinishedContentIsNotFound
        case .publishesShortBodies: .aBodyThatIsTooShortIsNotPublished
        case .failsTheSecondTime: .publishingAgainChangesNothing
        case .replacesContent: .anotherBodyDoesNotReplaceContent
        case .forgetsAfterALostAnswer: .aLostAnswerIsFoundByAskingAgain
        case .ignoresRanges: .rangesAreRead
        case .removesNothing: .removedContentIsGone
        case .failsToRemoveTwice: .removingAgainChangesNothing
        case .sharesByMoving: .sharedNamesLiveByThemselves
        case .failsToShareTwice: .sharingAgainChangesNothing
        case .sharesMissingContent: .missingContentIsNotShared
        case .hidesAFile: .everyFileIsListedOnce
        case .clearsEverything: .onlyClearedFilesGo
        case .restsInSight: .restingFilesAreFoundBySweepsOnly
        case .losesRestingFiles: .restingFilesComeBack
        case .overwritesOnReturn: .restingFilesDoNotReplaceContent
        case .seesEverything: .contentIsSighted
        case .losesContentInACrash: .aCrashLosesNoContent
        case .showsHalfContentAfterACrash: .aCrashLeavesNoHalfContent
        }
    }
}

/// A place that works but for one fault.
actor BrokenPlace: ContentPlace {
    private let place: any ContentPlace
    private let fault: PlaceFault
    private var published: Set<ContentName> = []
    private var removed: Set<ContentName> = []
    private var shared: Set<ContentName> = []

    nonisolated let identifier: Identifier
    nonisolated let isOnDataVolume: Bool

    init(_ place: any ContentPlace, _ fault: PlaceFault) {
        self.place = place
        self.fault = fault
        identifier = place.identifier
        isOnDataVolume = place.isOnDataVolume
    }

    private static let silence = PlaceError(.unavailable, "a fault of the test")

    func publish(_ batch: [FinishedContent]) async -> [Publication] {
        let names = batch.map(\.name)
        defer { published.formUnion(names) }
        switch fault {
        case .saysPublishedTooEarly: return batch.map { _ in .published }
        case .publishesShortBodies:
            _ = await place.publish(batch)
            return batch.map { _ in .published }
        case .failsTheSecondTime, .forgetsAfterALostAnswer:
            guard published.isDisjoint(with: names) else {
                return batch.map { _ in .failed(PlaceError(.taken, "the name is taken")) }
            }
            return await settled(batch)
        case .replacesContent:
            if !published.isDisjoint(with: names) {
                for name in names { while await place.remove([name]) != [.gone] {} }
            }
            return await place.publish(batch)
        case .losesContentInACrash:
            // It is where only this process finds it.
            return await place.publish(batch)
        default: return await place.publish(batch)
        }
    }

    private func settled(_ batch: [FinishedContent]) async -> [Publication] {
        var answers = await place.publish(batch)
        while answers.contains(.underway) { answers = await place.publish(batch) }
        return answers
    }

    func open(
        _ name: ContentName, _ wish: ReadingWish
    ) async throws(PlaceError) -> ContentReading {
        switch fault {
        case .showsHalfContent, .showsHalfContentAfterACrash:
            do throws(PlaceError) {
                return try await place.open(name, wish)
            } catch {
                return BrokenPlace.chunks([1])
            }
        case .ignoresRanges:
            guard case .chunks(let chunks) = try await place.open(name, ReadingWish()) else {
                return BrokenPlace.chunks([1])
            }
            return .chunks(chunks)
        case .losesContentInACrash where published.isEmpty:
            throw PlaceError(.missing, "only the other process knew it")
        default: return try await place.open(name, wish)
        }
    }

    private static func chunks(_ bytes: [UInt8]) -> ContentReading {
        let rest = Rest(bytes)
        return .chunks(
            ContentChunks(length: Int64(bytes.count)) { () async throws(PlaceError) -> [UInt8]? in
                await rest.take()
            })
    }

    private actor Rest {
        private var bytes: [UInt8]?

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func take() -> [UInt8]? { bytes.take() }
    }

    func remove(_ names: [ContentName]) async -> [Removal] {
        defer { removed.formUnion(names) }
        switch fault {
        case .removesNothing: return names.map { _ in .gone }
        case .failsToRemoveTwice where !removed.isDisjoint(with: names):
            return names.map { _ in .failed(PlaceError(.missing, "it is gone already")) }
        default: return await place.remove(names)
        }
    }

    func share(
        _ name: ContentName, as others: [ContentName], length: Int64
    ) async throws(PlaceError) {
        defer { shared.formUnion(others) }
        switch fault {
        case .failsToShareTwice where !shared.isDisjoint(with: others):
            throw PlaceError(.taken, "the name is taken")
        case .sharesMissingContent:
            do throws(PlaceError) {
                try await place.share(name, as: others, length: length)
            } catch {}
        default: try await place.share(name, as: others, length: length)
        }
        if fault == .sharesByMoving, let last = others.last {
            while await place.remove([last]) != [.gone] {}
        }
    }

    func sight(_ wanted: [WantedContent]) async -> [MissingFiles.Presence] {
        let seen = await place.sight(wanted)
        return fault == .seesEverything ? wanted.map { _ in .there } : seen
    }

    func giveUpMissing() async throws(PlaceError) { try await place.giveUpMissing() }

    func list(_ area: StoredArea, after cursor: String?) async throws(PlaceError) -> StoredPage {
        let page = try await place.list(area, after: cursor)
        guard fault == .hidesAFile else { return page }
        return StoredPage(files: Array(page.files.dropFirst()), next: page.next)
    }

    func clear(_ files: [StoredFile]) async -> [StoredFile] {
        if fault == .clearsEverything {
            for name in published { while await place.remove([name]) != [.gone] {} }
        }
        return await place.clear(files)
    }

    func isolate(_ files: [StoredFile], since hour: Int64) async -> [StoredFile] {
        switch fault {
        case .restsInSight: return files
        case .losesRestingFiles: return await place.clear(files)
        default: return await place.isolate(files, since: hour)
        }
    }

    func takeBack(_ files: [StoredFile]) async -> [StoredFile] {
        if fault == .overwritesOnReturn {
            for file in files { while await place.remove([file.name]) != [.gone] {} }
        }
        return await place.takeBack(files)
    }
}
