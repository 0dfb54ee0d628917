// The sums of one app that an overview shows.
package import Base
package import Downloads

/// The downloads and uploads of an app in numbers.
package struct AppFigures: Sendable {
    /// The number of downloads, or of uploads, in each state; a state without any is absent.
    package typealias States = [DownloadState: Int64]

    /// Failed downloads of one origin with one code.
    package struct Failure: Sendable, Equatable {
        /// The code; nil for a failure without one.
        package var code: String?
        /// The origin, `scheme://host:port`.
        package var origin: String?
        /// The number of downloads.
        package var count: Int64
        /// The download that failed last.
        package var id: Identifier
    }

    /// A download or upload that needs its client.
    package struct Attention: Sendable {
        /// The download or upload.
        package var download: Download
        /// The time since which it needs its client.
        package var since: Timestamp
    }

    /// Downloads by state; ended ones among the last `endedAtMost` ends.
    package var downloads: States = [:]
    /// Uploads by state; ended ones among the last `endedAtMost` ends.
    package var uploads: States = [:]
    /// Whether all ended ones are counted.
    package var isComplete = true
    /// Bytes a second of everything of the app that runs.
    package var bytesPerSecond: Int64 = 0
    /// Running downloads of all apps.
    package var runningOfAll: Int64 = 0
    /// The failures since a given instant, most first, at most `groupsAtMost`.
    package var failures: [Failure] = []
    /// The downloads and uploads that need their client, at most `groupsAtMost`.
    package var attention: [Attention] = []
    /// Waiting downloads that wait for the transfer of another one.
    package var joined: Int64 = 0

    /// The number of ends that are counted.
    package static let endedAtMost: Int64 = 10_000
    /// The number of groups, and of downloads that need their client, that are listed.
    package static let groupsAtMost: Int64 = 100

    /// Creates sums of zero.
    package init() {}
}
