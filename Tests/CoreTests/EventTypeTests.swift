// Event types: the numbers stored in databases, and the names in other people's programs.
import Base
import Testing

@testable import Downloads

@Suite struct EventTypeTests {
    /// A change of this table breaks stored journals and subscriptions.
    private static let table: [(EventType, Int16, String, DownloadState?, isDefault: Bool)] = [
        (.created, 1, "download.created", .waiting, false),
        (.waiting, 2, "download.waiting", .waiting, false),
        (.started, 3, "download.started", .running, false),
        (.progress, 4, "download.progress", .running, false),
        (.retryScheduled, 5, "download.retry_scheduled", .waiting, false),
        (.attentionRequired, 6, "download.attention_required", .attentionRequired, true),
        (.suspended, 7, "download.suspended", .suspended, false),
        (.resumed, 8, "download.resumed", .waiting, false),
        (.succeeded, 9, "download.succeeded", .succeeded, true),
        (.failed, 10, "download.failed", .failed, true),
        (.canceled, 11, "download.canceled", .canceled, true),
        (.contentExpiring, 12, "download.content_expiring", .succeeded, false),
        (.contentExpired, 13, "download.content_expired", .succeeded, false),
        (.contentLost, 14, "download.content_lost", .succeeded, false),
        (.deadlineAtRisk, 15, "download.deadline_at_risk", .waiting, true),
        (.contentReleased, 16, "download.content_released", .succeeded, false),
        (.endpointPing, 17, "endpoint.ping", nil, false),
        (.endpointDisabled, 18, "endpoint.disabled", nil, true),
        (.deliveryExhausted, 19, "delivery.exhausted", nil, true),
        (.sessionWake, 20, "session.wake", nil, false),
        (.sessionEventsFinished, 21, "session.events_finished", nil, false),
        (.sessionDrained, 22, "session.drained", nil, false),
        (.willBegin, 23, "download.will_begin", .waiting, false),
        (.received, 24, "download.received", .waiting, false),
        (.willSend, 25, "download.will_send", .waiting, false),
        (.sourceChanged, 26, "source.changed", nil, true),
        (.sourceFailing, 27, "source.failing", nil, true),
        (.sourceUnchanged, 28, "source.unchanged", nil, false),
        (.sourceSkipped, 29, "source.skipped", nil, false),
    ]

    @Test func numbersAndNamesNeverChange() {
        #expect(EventType.allCases == Self.table.map(\.0))
        for (type, number, name, state, isDefault) in Self.table {
            #expect(type.rawValue == number)
            #expect(type.name == name)
            #expect(EventSet.named([name]) == .success(EventSet(bits: 1 << Int64(number))))
            #expect(type.stateAfter == state)
            #expect(type.isDefault == isDefault)
        }
        let numbers: [Int64] = [6, 9, 10, 11, 15, 18, 19, 26, 27, 38, 41, 42, 43, 47]
        #expect(EventSet.usual.bits == numbers.reduce(0) { $0 | 1 << $1 })
    }

    /// An upload has the events of a download that concern it, under names of its own and with
    /// bits of their own.
    @Test func uploadsHaveNamesAndBitsOfTheirOwn() {
        var random = SeededRandom(seed: 7)
        let down = Identifier(at: .epoch, using: &random)
        let up = Identifier(uploadAt: .epoch, using: &random)
        let names = EventType.allCases.filter(\.isOfUploads).map { $0.name(of: up) }
        #expect(
            names.map { $0.dropFirst("upload.".count) }.sorted() == [
                "attention_required", "canceled", "created", "deadline_at_risk", "failed",
                "progress", "resumed", "retry_scheduled", "staged", "started", "succeeded",
                "suspended", "waiting", "will_send",
            ])
        for type in EventType.allCases {
            let own = EventSet.named([type.name])
            guard case .success(let set) = own else {
                Issue.record("\(type) has a name")
                continue
            }
            #expect(set.contains(type, of: down) && type.name(of: down) == type.name)
            guard type.isOfUploads else {
                #expect(type.name(of: up) == type.name)
                continue
            }
            #expect(!set.contains(type, of: up), "\(type)")
            guard case .success(let other) = EventSet.named([type.name(of: up)]) else {
                Issue.record("\(type) of an upload has a name")
                continue
            }
            #expect(other.contains(type, of: up) && !other.contains(type, of: down))
            #expect(other.withoutUploads == .none && set.withoutUploads == set)
            #expect(other.names == [type.name(of: up)])
        }
        #expect(EventSet.all.names == nil && EventSet.all.contains(.received, of: up))
    }

    private static let subscribed: [([String], Int64)] = [
        ([], 0), (["download.failed"], 1024),
        (["download.failed", "download.failed", "download.created"], 1026),
        (["download.*"], 0x381fffe), (["download.progress", "download.*"], 0x381fffe),
        (["*"], -1), (["session.*"], 0x700000),
        (["source.*"], 0x3c00_0000), (["endpoint.*"], 0x60000),
        (["delivery.*"], 0x80000),
        (["endpoint.ping", "session.*", "download.created"], 0x720002),
    ]

    @Test(arguments: subscribed)
    func subscriptions(_ names: [String], _ bits: Int64) {
        #expect(EventSet.named(names) == .success(EventSet(bits: bits)))
    }

    @Test(arguments: [
        "", "failed", "Download.failed", "download.", "download.*x", "session.wakes", "**", "*.*",
        "endpoint.", "session.x", "upload.received", "upload.content_expired", "download.staged",
    ])
    func namesTheFirstUnknown(_ name: String) {
        guard case .failure(let unknown) = EventSet.named(["download.failed", name, "x"])
        else {
            Issue.record("accepted")
            return
        }
        #expect(unknown.name == name)
    }
}
