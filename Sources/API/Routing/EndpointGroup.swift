// The interface of a group of endpoints.

/// A group of related endpoints.
///
/// The initializer of a group takes its dependencies. A new endpoint is a line in `routes` and a
/// function beside it, an operation in openapi.yaml, a test, and its line in README or docs.
protocol EndpointGroup: Sendable {
    /// Its endpoints; for one path their order is that of the methods in `Allow`.
    var routes: [Route] { get }
}
