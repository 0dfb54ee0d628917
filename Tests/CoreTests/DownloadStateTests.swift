// States and actions, as the tables of the model say.
import Downloads
import Testing

@Suite struct DownloadStateTests {
    @Test(arguments: [
        (DownloadState.suspended, "suspended", false, "suspend resume cancel"),
        (.waiting, "waiting", false, "suspend resume cancel retry"),
        (.receiving, "receiving", false, "suspend resume cancel"),
        (.running, "running", false, "suspend resume cancel retry"),
        (.canceling, "canceling", false, "cancel"),
        (.attentionRequired, "attention_required", false, "resume cancel retry"),
        (.succeeded, "succeeded", true, "delete"),
        (.failed, "failed", true, "retry delete"),
        (.canceled, "canceled", true, "cancel retry delete"),
    ])
    func isWhatTheTableSays(
        _ state: DownloadState, _ name: String, _ isTerminal: Bool, _ actions: String
    ) {
        #expect(state.rawValue == name)
        #expect(state.isTerminal == isTerminal)
        let allowed = DownloadAction.allowed(in: state).map(\.rawValue).joined(separator: " ")
        #expect(allowed == actions)
    }

    @Test func stateTransitionTableIsComplete() {
        #expect(DownloadState.allCases.count == 9)
        let names = ["suspend", "resume", "cancel", "retry", "delete"]
        #expect(DownloadAction.allCases.map(\.rawValue) == names)
        for action in DownloadAction.allCases {
            #expect(Set(action.allowedStates).count == action.allowedStates.count)
        }
    }
}
