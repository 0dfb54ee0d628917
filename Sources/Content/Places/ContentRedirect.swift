/// An address of content for one client.
package struct ContentRedirect: Sendable, Equatable {
    /// The length of the whole content in bytes.
    package let length: Int64
    /// The URL, which carries its own authorization.
    package let url: String

    /// Creates a value with all its members.
    package init(length: Int64, url: String) {
        self.length = length
        self.url = url
    }
}
