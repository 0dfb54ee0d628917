// What was seen of the volume, for everybody who explains why a download waits.
package import Core
internal import Synchronization

/// The last look at the volume of the content.
package final class DiskGauge: Sendable {
    private let state = Mutex<DiskReading?>(nil)

    /// Nothing was seen yet.
    package init() {}

    /// The last look, nil before the first.
    package var reading: DiskReading? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
