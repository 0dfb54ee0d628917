package import Scheduling

/// What was read of a feed at the end of a look.
package struct FeedReading: Sendable {
    /// Why a feed could not be read; nothing of it counts.
    package struct Fault: Sendable {
        /// The reason, in one word.
        package let reason: String
        /// The place, and what is there.
        package let detail: String

        /// Creates a fault; see the members.
        package init(_ reason: String, _ detail: String) {
            (self.reason, self.detail) = (reason, detail)
        }
    }

    /// The version of the source's document that it was read for.
    package let version: Int64
    /// The fault; nil for a feed that was read.
    package var fault: Fault?
    /// The items that are known from now on without a download.
    package var passedOver: [SourceItem] = []
    /// The keys that the feed has now.
    package var keys: Set<String> = []
    /// How many items the app has no room for; they are queued by the next look.
    package var left: Int64 = 0
    /// The least interval that the feed names, in seconds; nil for none.
    package var told: Int64?
    /// The times in which it need not be looked at.
    package var quiet = QuietTimes()

    /// A reading for a source as it was read, without items.
    package init(for source: SourceRecord) { version = source.version }
}
