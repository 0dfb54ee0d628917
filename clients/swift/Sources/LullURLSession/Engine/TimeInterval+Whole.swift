internal import Foundation

extension TimeInterval {
    /// Whole seconds, rounded up; a number that the service refuses for what is none.
    var wholeSeconds: Int { Int(exactly: rounded(.up)) ?? .max }
}
