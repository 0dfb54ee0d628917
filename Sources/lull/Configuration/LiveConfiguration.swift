// The configuration in force, of which SIGHUP replaces a part.
internal import Platform
internal import Synchronization

/// The settings of a running service.
final class LiveConfiguration: Sendable {
    private struct State {
        var configuration: Configuration
        var texts: [String: String?]
    }

    private let state: Mutex<State>

    /// The configuration of the start.
    init(_ configuration: Configuration, _ values: SettingValues?) {
        state = Mutex(
            State(
                configuration: configuration, texts: LiveConfiguration.texts(values)))
    }

    /// The one in force.
    var current: Configuration { state.withLock { $0.configuration } }

    /// Takes the values of live settings.
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
            // What needs a restart is named at each SIGHUP until there was one.
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
