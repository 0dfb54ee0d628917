// Every action in every state, and the deadline of a retried download.
import Base
import Downloads
import Postgres
import Store
import Testing
import Trees

@Suite struct PerformTests {
    /// Brings a download into a state.
    private func make(_ state: DownloadState, in lab: StoreLab) async throws -> Identifier {
        let hook: JSONObject = [
            "webhook_url": "https://hooks.example/a", "webhook_events": ["download.*"],
        ]
        if state == .waiting { return try await lab.submit(1, hook)[0] }
        if state == .receiving {
            return try await lab.submitUpload(
                at: StoreLab.identifier(),
                ["webhook_url": "https://hooks.example/a", "webhook_events": ["upload.*"]])
        }
        if state == .suspended {
            var members = hook
            members["suspended"] = true
            return try await lab.submit(1, members)[0]
        }
        let (ledger, claim) = try await lab.running(hook)
        switch state {
        case .canceling: _ = try await lab.downloads.perform(.cancel, on: claim.download.id, app: 1)
        case .attentionRequired: _ = try await ledger.finish([lab.end(claim, .attentionRequired)])
        case .succeeded: _ = try await ledger.finish([lab.end(claim, .succeeded)])
        case .failed: _ = try await ledger.finish([lab.end(claim, .failed)])
        case .canceled: _ = try await ledger.finish([lab.end(claim, .canceled)])
        case .running, .waiting, .receiving, .suspended: break
        }
        return claim.download.id
    }

    @Test func everyActionInEveryState() async throws {
        try await StoreLab.with(connections: 2) { lab in
            for state in DownloadState.allCases {
                for action in DownloadAction.allCases {
                    try await check(action, in: state, lab)
                    // The next download finds an empty store.
                    try await lab.pool.script(
                        """
                        DELETE FROM queue; DELETE FROM download_requests;
                        DELETE FROM download_results; DELETE FROM events;
                        DELETE FROM deliveries; DELETE FROM attempts; UPDATE gates SET running = 0
                        """)
                }
            }
        }
    }

    private func check(
        _ action: DownloadAction, in state: DownloadState, _ lab: StoreLab
    ) async throws {
        let id = try await make(state, in: lab)
        #expect(try await lab.state(of: id) == state, "\(state)")
        let before = try await lab.everything()
        let outcome = try await lab.downloads.perform(action, on: id, app: 1)
        guard action.allowedStates.contains(state) else {
            guard case .impossible(let found) = outcome else {
                Issue.record("\(action) was done in \(state)")
                return
            }
            #expect(found == state)
            #expect(try await lab.everything() == before)
            return
        }
        guard case .done(let record, let order) = outcome else {
            Issue.record("\(action) was not done in \(state)")
            return
        }
        let expected = after(action, in: state)
        #expect(record.download.state == expected ?? state, "\(action) in \(state)")
        #expect(try await lab.state(of: id) == expected, "\(action) in \(state)")
        #expect((order != nil) == (state == .running && action != .resume && action != .retry))
        let changed = expected != nil && expected != state && order == nil
        if changed {
            let page = try await lab.downloads.journal.read(
                JournalQuery(scope: .download(id)), after: nil, limit: 100)
            let last = try #require(page.events.last?.message)
            let data = try #require(try JSON.parse(last.body)["data"])
            // The app's name stands after the download's members.
            let own = try #require(await lab.find(id)).download.eventData()
            #expect(data.text == own.dropLast() + #","app":"default"}"#)
            let sent = try await lab.number(
                """
                SELECT count(*) FROM deliveries
                WHERE (download_id, sequence) = (SELECT download_id, sequence FROM events
                    ORDER BY journal_no DESC LIMIT 1)
                """)
            #expect(sent == 1)
            #expect(try await lab.events(of: id).last?.stateAfter == expected)
        } else if action != .delete, order == nil {
            #expect(try await lab.everything() == before, "what holds already changes nothing")
        }
        #expect(try await lab.wrongGates() == 0)
    }

    /// The state that a client sees after the action; nil if the action is refused.
    private func after(_ action: DownloadAction, in state: DownloadState) -> DownloadState? {
        switch (action, state) {
        case (.delete, _): nil
        case (.cancel, .running), (.cancel, .canceling): .canceling
        case (.cancel, _): .canceled
        case (.suspend, .running): .running
        case (.suspend, _): .suspended
        case (.resume, .running), (.retry, .running): .running
        case (.resume, .receiving): .receiving
        case (.resume, _), (.retry, _): .waiting
        }
    }

    @Test func otherAppsFindNothing() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            #expect(try await lab.downloads.find(id, app: 2) == nil)
            for action in DownloadAction.allCases {
                guard case .notFound = try await lab.downloads.perform(action, on: id, app: 2)
                else {
                    Issue.record("\(action) was done")
                    continue
                }
            }
            #expect(try await lab.state(of: id) == .waiting)
        }
    }

    @Test func downloadsPastTheirDeadlineFail() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(3)
            _ = try await lab.downloads.perform(.suspend, on: ids[1], app: 1)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 1).map(\.download.id) == [ids[0]])
            #expect(try await lab.downloads.expire(limit: 10) == 0)
            _ = try await lab.pool.query("UPDATE queue SET deadline = clock_timestamp()")
            #expect(try await lab.downloads.expire(limit: 10) == 2)
            #expect(try await lab.state(of: ids[0]) == .running, "a running one ends by itself")
            for id in ids[1...] {
                let download = try #require(await lab.find(id)).download
                #expect(download.state == .failed)
                #expect(download.result["error"]?["code"] == "timed_out")
                #expect(download.completedAt != nil)
                #expect(try await lab.events(of: id).last == .failed)
            }
            #expect(try await lab.downloads.expire(limit: 10) == 0)
        }
    }

    @Test func listsByStateAndSession() async throws {
        try await StoreLab.with { lab in
            let ids = try await lab.submit(5)
            _ = try await lab.downloads.perform(.suspend, on: ids[1], app: 1)
            _ = try await lab.downloads.perform(.cancel, on: ids[2], app: 1)
            func list(
                _ states: Set<DownloadState>, session: String? = nil, before: Identifier? = nil,
                limit: Int = 100
            ) async throws -> [Identifier] {
                var filter = DownloadFilter()
                (filter.session, filter.states) = (session, states)
                return try await lab.downloads.list(
                    app: 1, filter, after: before, limit: limit
                ).records.map(\.download.id)
            }
            let newest = ids.sorted(by: >)
            #expect(try await list([]) == newest)
            #expect(try await list([], session: "default") == newest)
            #expect(try await list([], session: "other").isEmpty)
            #expect(try await list([.suspended]) == [ids[1]])
            #expect(try await Set(list([.suspended, .canceled])) == [ids[1], ids[2]])
            #expect(try await list([], limit: 2) == Array(newest[..<2]))
            #expect(try await list([], before: newest[1]) == Array(newest[2...]))
        }
    }
}
