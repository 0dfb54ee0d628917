// The interface of a group of endpoints.

/// Endpoints that belong together.
///
/// What a group uses is what its initializer takes. A new endpoint is a line in `routes` and a
/// function beside it, an operation in openapi.yaml, a test, and its line in README or docs.
protocol EndpointGroup: Sendable {
    /// Its endpoints; of one path the order is that of the methods in `Allow`.
    var routes: [Route] { get }
}
