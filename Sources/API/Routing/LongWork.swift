// Where requests are judged that would hold up every connection on the server's lane.

/// One thread of the pool at most, for requests that compute for longer than a fraction of a
/// millisecond: large bodies, and those that mean many downloads.
///
/// While one of them waits for the store the next one goes on.
@globalActor actor LongWork {
    static let shared = LongWork()

    /// Bodies of more bytes than this are read and judged here, smaller ones on the server's lane,
    /// where that takes less time than changing threads twice.
    static let bodyBytes = 16 << 10
}
