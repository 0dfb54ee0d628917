// Minutes of a world as instants.
import Core

enum ForecastClock {
    /// Monday 2 March 2026 at 00:00 in the zone of the policy, which is UTC here.
    private static let start = Timestamp(seconds: 1_772_409_600)

    static func instant(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }
}
