// The configuration in force, a part of which SIGHUP replaces.
internal import Platform
internal import Synchronization

/// The settings of a running service.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: Configuration
        var texts: [String: String?]
    }

    private let state: Mutex<State>

    /// Creates it from the configuration of the start.
    init(_ configuration: Configuration, _ values: SettingValues?) {
        state = Mutex(
            State(
                configuration: configuration, texts: LiveConfiguration.texts(values)))
    }

    /// The configuration in force.
    var current: Configuration { state.withLock { $0.configuration } }

    /// Applies the values of live settings.
    ///
    /// - Returns: the names of those that are taken, and of changed ones that need a restart.
    func take(
        _ fresh: Configuration, _ values: SettingValues
    ) -> (taken: [String], waiting: [String]) {
        let texts = LiveConfiguration.texts(values)
        return state.withLock { state in
            let changed = SettingTable.all.filter { setting in
                state.texts[setting.name] != texts[setting.name]
            }
            state.configuration = state.configuration.takingLive(of: fresh)
            // A changed setting that needs a restart is reported at each SIGHUP until then.
            for setting in changed where setting.isLive {
                state.texts[setting.name] = texts[setting.name]
            }
            return (
                changed.filter(\.isLive).map(\.name), changed.filter { !$0.isLive }.map(\.name)
            )
        }
    }

    private static func texts(_ values: SettingValues?) -> [String: String?] {
        var texts: [String: String?] = [:]
        for setting in SettingTable.all { texts[setting.name] = .some(values?.given(setting.name)) }
        return texts
    }
}
