// The properties that every place has.
import Base
import Content
import Downloads
import Places
import Platform

/// A property of a place; its name says the rule.
enum PlaceProperty: String, CaseIterable {
    case publishedContentIsRead
    case unfinishedContentIsNotFound
    case aBodyThatIsTooShortIsNotPublished
    case publishingAgainChangesNothing
    case anotherBodyDoesNotReplaceContent
    case aLostAnswerIsFoundByAskingAgain
    case rangesAreRead
    case removedContentIsGone
    case removingAgainChangesNothing
    case sharedNamesLiveByThemselves
    case sharingAgainChangesNothing
    case missingContentIsNotShared
    case everyFileIsListedOnce
    case onlyClearedFilesGo
    case restingFilesAreFoundBySweepsOnly
    case restingFilesComeBack
    case restingFilesDoNotReplaceContent
    case contentIsSighted
    case aCrashLosesNoContent
    case aCrashLeavesNoHalfContent

    /// Bytes that fill several pieces.
    private static let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
    private static let (a, b, c) = (name("a"), name("b"), name("c"))

    /// Notes in the lab what does not hold.
    func check(_ lab: PlaceLab) async throws {
        switch self {
        case .publishedContentIsRead: try await Self.published(lab)
        case .unfinishedContentIsNotFound: try await Self.unfinished(lab)
        case .aBodyThatIsTooShortIsNotPublished: try await Self.tooShort(lab)
        case .publishingAgainChangesNothing: try await Self.again(lab)
        case .anotherBodyDoesNotReplaceContent: try await Self.another(lab)
        case .aLostAnswerIsFoundByAskingAgain: try await Self.lostAnswer(lab)
        case .rangesAreRead: try await Self.ranges(lab)
        case .removedContentIsGone: try await Self.removed(lab)
        case .removingAgainChangesNothing: try await Self.removedAgain(lab)
        case .sharedNamesLiveByThemselves: try await Self.shared(lab)
        case .sharingAgainChangesNothing: try await Self.sharedAgain(lab)
        case .missingContentIsNotShared: try await Self.sharedMissing(lab)
        case .everyFileIsListedOnce: try await Self.listed(lab)
        case .onlyClearedFilesGo: try await Self.cleared(lab)
        case .restingFilesAreFoundBySweepsOnly: try await Self.rested(lab)
        case .restingFilesComeBack: try await Self.takenBack(lab)
        case .restingFilesDoNotReplaceContent: try await Self.takenBackOverOther(lab)
        case .contentIsSighted: try await Self.sighted(lab)
        case .aCrashLosesNoContent: try await Self.crashed(lab)
        case .aCrashLeavesNoHalfContent: try await Self.crashedHalfWay(lab)
        }
    }

    // MARK: - Publishing

    private static func published(_ lab: PlaceLab) async throws {
        for (number, count) in [0, 1, 50_000].enumerated() {
            for inMemory in [false, true] {
                let name = name("dl_\(number)", inMemory ? 2 : 1)
                let bytes = Array(bytes.prefix(count))
                let answer = await lab.publish(try lab.body(bytes, of: name, inMemory: inMemory))
                lab.expect(answer == .published, "\(count) bytes are not published: \(answer)")
                lab.expect(try await lab.read(name) == bytes, "\(count) bytes are not read")
                let digest = try await lab.place.digest(
                    of: name, length: Int64(count), on: FileLane(label: "test"))
                lab.expect(digest == PlaceLab.digest(bytes), "the digest of \(count) bytes")
            }
        }
        lab.expect(try lab.parts().isEmpty, "a published body left its file")
    }

    private static func unfinished(_ lab: PlaceLab) async throws {
        let body = try lab.body(bytes, of: a)
        lab.expect(try await lab.read(a) == nil, "a body that is not published is found")
        // Each call brings the place further; until it says so, nothing is visible.
        for _ in 0..<50 {
            let answer = await lab.place.publish([body]).first
            let read = try await lab.read(a)
            guard answer == .underway else { return lab.expect(read == bytes, "it is not read") }
            lab.expect(read == nil, "a part of a body is visible")
        }
    }

    private static func tooShort(_ lab: PlaceLab) async throws {
        let answer = await lab.publish(try lab.body([1, 2], of: a, length: 3))
        guard case .failed = answer else { return lab.expect(false, "it is published") }
        lab.expect(try await lab.read(a) == nil, "it is found")
        lab.expect(try lab.parts().isEmpty, "it left its file")
    }

    private static func again(_ lab: PlaceLab) async throws {
        for inMemory in [false, true] {
            let name = name("a", inMemory ? 2 : 1)
            let body = try lab.body(bytes, of: name, inMemory: inMemory)
            for _ in 0..<3 {
                let answer = await lab.publish(body)
                lab.expect(answer == .published, "the answer changes to \(answer)")
                lab.expect(try await lab.read(name) == bytes, "the bytes change")
            }
            try await lab.restart()
            let other = await lab.publish(try lab.body(bytes, of: name))
            lab.expect(other == .published, "another process is told \(other)")
            lab.expect(try await lab.read(name) == bytes, "the bytes change in another process")
            lab.expect(try lab.parts().isEmpty, "a file is left")
        }
    }

    private static func another(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        for inMemory in [false, true] {
            let answer = await lab.publish(
                try lab.body(Array(bytes.reversed()), of: a, inMemory: inMemory))
            guard case .failed(let error) = answer, error.code == .taken else {
                return lab.expect(false, "another body is told \(answer)")
            }
        }
        lab.expect(try await lab.read(a) == bytes, "another body replaces the content")
        lab.expect(try lab.parts().isEmpty, "the other body left its file")
    }

    private static func lostAnswer(_ lab: PlaceLab) async throws {
        let fates: [[ObjectStore.Fault]] = [
            [.answerLost], [.requestLost], [.requestLost, .answerLost], [.damaged],
        ]
        for message in [ObjectStore.Message.look, .append, .complete] {
            for (number, fates) in fates.enumerated() {
                for fate in fates { await lab.objects.fail(message, fate) }
                let name = name("\(message)-\(number)")
                // The first answers are forgotten, as by a caller that did not get them.
                let body = try lab.body(bytes, of: name)
                _ = await lab.place.publish([body])
                let answer = await lab.publish(body)
                lab.expect(answer == .published, "\(fates) of \(message): \(answer)")
                lab.expect(try await lab.read(name) == bytes, "\(fates) of \(message): not read")
            }
        }
        lab.expect(try lab.parts().isEmpty, "a file is left")
    }

    // MARK: - Reading and removing

    private static func ranges(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        for range in [0...0, 0...49_999, 49_999...49_999, 16_383...16_384, 1...40_000]
            as [ClosedRange<Int64>]
        {
            let wanted = bytes[Int(range.lowerBound)...Int(range.upperBound)]
            lab.expect(try await lab.read(a, range) == Array(wanted), "\(range) is not read")
        }
    }

    private static func removed(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        try await lab.publish(bytes, as: b)
        let answer = await lab.remove(a)
        lab.expect(answer == .gone, "it is not removed: \(answer)")
        lab.expect(try await lab.read(a) == nil, "it is still read")
        lab.expect(try await lab.list(.current).map(\.name) == [b], "it is still listed")
        lab.expect(try await lab.read(b) == bytes, "other content is gone")
    }

    private static func removedAgain(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        await lab.objects.fail(.remove, .answerLost)
        let answers = await lab.place.remove([a, b])
        lab.expect(answers.count == 2, "not every name has an answer")
        for name in [a, a, b] {
            let answer = await lab.remove(name)
            lab.expect(answer == .gone, "\(name) is told \(answer)")
        }
        lab.expect(try await lab.list(.current).isEmpty, "something is left")
    }

    // MARK: - Sharing

    private static func shared(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        try await lab.place.share(a, as: [b, c], length: 50_000)
        for gone in [a, b] {
            _ = await lab.remove(gone)
            lab.expect(try await lab.read(gone) == nil, "\(gone) is still read")
            lab.expect(try await lab.read(c) == bytes, "\(c) goes with \(gone)")
        }
    }

    private static func sharedAgain(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        try await lab.publish([1], as: b)
        for _ in 0..<2 {
            try await lab.place.share(a, as: [b, c], length: 50_000)
            for name in [a, b, c] {
                lab.expect(try await lab.read(name) == bytes, "\(name) has other bytes")
            }
        }
    }

    private static func sharedMissing(_ lab: PlaceLab) async throws {
        do throws(PlaceError) {
            try await lab.place.share(a, as: [b], length: 1)
            lab.expect(false, "missing content is shared")
        } catch {
            lab.expect(error.code == .missing, "the failure is \(error.code)")
        }
        lab.expect(try await lab.list(.current).isEmpty, "something is made")
    }

    // MARK: - Sweeping

    private static func listed(_ lab: PlaceLab) async throws {
        let names = (0..<20).map { name("dl_\($0)", Int64($0)) }
        for name in names { try await lab.publish([1, 2, 3], as: name) }
        let files = try await lab.list(.current)
        lab.expect(Set(files.map(\.name)) == Set(names), "not all are listed")
        lab.expect(
            files.allSatisfy {
                !$0.isPart && $0.length == 3 && $0.modifiedSeconds > 0 && $0.restsSince == nil
            }, "the facts of a file are wrong")
        lab.expect(try await lab.list(.quarantine).isEmpty, "the quarantine is not empty")
    }

    private static func cleared(_ lab: PlaceLab) async throws {
        for name in [a, b, c] { try await lab.publish(bytes, as: name) }
        let files = try await lab.list(.current).filter { $0.name != b }
        for count in [2, 0] {
            let cleared = await lab.place.clear(files)
            lab.expect(cleared.count == count, "\(cleared.count) instead of \(count) are cleared")
        }
        lab.expect(try await lab.list(.current).map(\.name) == [b], "another file goes")
        lab.expect(try await lab.read(a) == nil, "a cleared file is read")
        lab.expect(try await lab.read(b) == bytes, "another file is not read")
    }

    private static func rested(_ lab: PlaceLab) async throws {
        for name in [a, b, c] { try await lab.publish(bytes, as: name) }
        let files = try await lab.list(.current)
        for (hour, name) in [(500, a), (7, b)] {
            let wanted = files.filter { $0.name == name }
            let rested = await lab.place.isolate(wanted, since: Int64(hour))
            lab.expect(rested.map(\.name) == [name], "\(name) does not rest")
            lab.expect(try await lab.read(name) == nil, "\(name) is read in quarantine")
        }
        let resting = try await lab.list(.quarantine)
        lab.expect(resting.map(\.restsSince) == [7, 500], "the hours are \(resting)")
        lab.expect(try await lab.list(.current).map(\.name) == [c], "a resting file is listed")
        lab.expect(await lab.place.clear(resting).count == 2, "resting files are not cleared")
        lab.expect(try await lab.list(.quarantine).isEmpty, "something is left")
        lab.expect(try await lab.read(c) == bytes, "another file goes")
    }

    private static func takenBack(_ lab: PlaceLab) async throws {
        for name in [a, b] { try await lab.publish(bytes, as: name) }
        _ = await lab.place.isolate(try await lab.list(.current), since: 7)
        let resting = try await lab.list(.quarantine)
        let back = await lab.place.takeBack(resting.filter { $0.name == a })
        lab.expect(back.map(\.name) == [a], "it does not come back")
        lab.expect(try await lab.read(a) == bytes, "it is not read")
        // A look for content that a row names finds it there too.
        let seen = await lab.place.sight([WantedContent(b, length: 50_000)])
        lab.expect(seen == [.there], "it is not sighted in quarantine")
        lab.expect(try await lab.read(b) == bytes, "it does not come back for its row")
        lab.expect(try await lab.list(.quarantine).isEmpty, "it rests still")
    }

    private static func takenBackOverOther(_ lab: PlaceLab) async throws {
        try await lab.publish([1], as: a)
        _ = await lab.place.isolate(try await lab.list(.current), since: 7)
        try await lab.publish(bytes, as: a)
        let back = await lab.place.takeBack(try await lab.list(.quarantine))
        lab.expect(back.isEmpty, "it comes back")
        lab.expect(try await lab.read(a) == bytes, "it replaces content")
    }

    private static func sighted(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        let seen = await lab.place.sight([
            WantedContent(a, length: 50_000), WantedContent(a, length: 1),
            WantedContent(b, length: 50_000),
        ])
        lab.expect(seen == [.there, .missing, .missing], "\(seen)")
        if lab.kind == .objects {
            await lab.objects.fail(.look, .requestLost)
            let silent = await lab.place.sight([WantedContent(a, length: 50_000)])
            lab.expect(silent == [.unreadable], "a silent place says \(silent)")
        }
        try await lab.place.giveUpMissing()
        lab.expect(try await lab.read(a) == bytes, "content that is there is given up")
    }

    // MARK: - Crashes

    private static func crashed(_ lab: PlaceLab) async throws {
        try await lab.publish(bytes, as: a)
        try await lab.restart()
        lab.expect(try await lab.read(a) == bytes, "published content is lost")
        try await lab.place.share(a, as: [b], length: 50_000)
        try await lab.restart()
        lab.expect(try await lab.read(b) == bytes, "shared content is lost")
        _ = await lab.place.isolate(
            try await lab.list(.current).filter { $0.name == b }, since: 7)
        try await lab.restart()
        lab.expect(try await lab.list(.quarantine).map(\.name) == [b], "a resting file is lost")
    }

    private static func crashedHalfWay(_ lab: PlaceLab) async throws {
        do {
            let body = try lab.body(bytes, of: a)
            await lab.objects.fail(.append, .requestLost)
            await lab.objects.fail(.complete, .requestLost)
            // A folder has no half: its one step is done or not.
            if lab.kind == .objects { for _ in 0..<2 { _ = await lab.place.publish([body]) } }
        }
        try await lab.restart()
        lab.expect(try await lab.read(a) == nil, "half a body is read")
        // The sweep finds what was left, in the place or in the data directory, and removes it.
        let folder = FolderPlace(of: lab.store)
        let left = try await folder.list(.current, after: nil).files + lab.list(.current)
        lab.expect(left.allSatisfy { $0.isPart && $0.name == a }, "\(left) is no part")
        lab.expect(!left.isEmpty, "nothing is found")
        _ = await folder.clear(left)
        _ = await lab.place.clear(left)
        lab.expect(try await lab.list(.current).isEmpty, "it stays in the place")
        lab.expect(try lab.parts().isEmpty, "it stays in the data directory")
        // The next attempt has another name.
        try await lab.publish(bytes, as: name("a", 2))
        lab.expect(try await lab.read(name("a", 2)) == bytes, "the next attempt is not read")
    }
}
