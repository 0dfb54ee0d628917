// Event types: the numbers stored in databases, and the names in other people's programs.
import Downloads
import Testing

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
    ]

    @Test func numbersAndNamesNeverChange() {
        #expect(EventType.allCases == Self.table.map(\.0))
        for (type, number, name, state, isDefault) in Self.table {
            #expect(type.rawValue == number)
            #expect(type.name == name)
            #expect(EventType(name: name) == type)
            #expect(type.mask == 1 << number)
            #expect(type.stateAfter == state)
            #expect(type.isDefault == isDefault)
        }
        let numbers: [Int32] = [6, 9, 10, 11, 15, 18, 19]
        #expect(EventType.defaultMask == numbers.reduce(0) { $0 | 1 << $1 })
    }

    private static let subscribed: [([String], Int32)] = [
        ([], 0), (["download.failed"], 1024),
        (["download.failed", "download.failed", "download.created"], 1026),
        (["download.*"], 0x381fffe), (["download.progress", "download.*"], 0x381fffe),
        (["*"], -1), (["session.*"], 0x700000), (["endpoint.*"], 0x60000),
        (["delivery.*"], 0x80000),
        (["endpoint.ping", "session.*", "download.created"], 0x720002),
    ]

    @Test(arguments: subscribed)
    func subscriptions(_ names: [String], _ mask: Int32) {
        #expect(EventType.mask(names: names) == .success(mask))
    }

    @Test(arguments: [
        "", "failed", "Download.failed", "download.", "download.*x", "session.wakes", "**", "*.*",
        "endpoint.", "session.x",
    ])
    func namesTheFirstUnknown(_ name: String) {
        #expect(EventType(name: name) == nil)
        guard case .failure(let unknown) = EventType.mask(names: ["download.failed", name, "x"])
        else {
            Issue.record("accepted")
            return
        }
        #expect(unknown.name == name)
    }
}
