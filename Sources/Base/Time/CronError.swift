/// The reason why a text is no cron expression.
package struct CronError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault, to be read behind the name of the member.
    package let description: String

    init(_ description: String) { self.description = description }
}
