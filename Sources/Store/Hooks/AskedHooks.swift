// The result of asking begin hooks.
package import Base

/// The downloads whose hooks were asked, and those that had no answer.
package struct AskedHooks: Sendable {
    /// A download that is canceled because its hook did not answer in time.
    package struct Cancel: Sendable {
        /// The download.
        package let id: Identifier
        /// Its app's number.
        package let app: Int64
        /// The number of the event with the question.
        package let sequence: Int64
    }

    /// The downloads whose hooks were asked; the webhooks are in the outbox.
    package var asked: [Identifier] = []
    /// Downloads without an answer in time, which begin, continue to wait or are asked again.
    package var settled: [Identifier] = []
    /// Downloads without an answer in time, which have to be canceled.
    package var cancels: [Cancel] = []
    /// For each lane with more downloads, when the first is due.
    package var due: [Int64: Timestamp] = [:]
}
