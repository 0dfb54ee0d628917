// What came of asking begin hooks.
package import Core

/// The downloads whose hooks were asked, and those that had no answer.
package struct AskedHooks: Sendable {
    /// A download that is canceled because its hook had no answer in its time.
    package struct Cancel: Sendable {
        /// The download.
        package let id: Identifier
        /// Its app's number.
        package let app: Int64
        /// The number of the event with which it was asked.
        package let sequence: Int64
    }

    /// The downloads whose hooks were asked; the webhooks are in the outbox.
    package var asked: [Identifier] = []
    /// Those that had no answer in their time, and begin, wait on or are asked again.
    package var settled: [Identifier] = []
    /// Those that are to be canceled for that.
    package var cancels: [Cancel] = []
    /// When the first download of each lane is due that has more.
    package var due: [Int64: Timestamp] = [:]
}
