// The URLs of requests.
internal import Base
internal import Downloads
internal import Testing
internal import Transfers

@testable internal import ObjectStores

@Suite struct StoreRequestTests {
    private func location(
        _ endpoint: String, _ addressing: StoreLocation.Addressing
    ) throws -> StoreLocation {
        var location = StoreLocation(
            bucket: "bucket", prefix: "p", endpoint: try SourceURL(parsing: endpoint))
        location.addressing = addressing
        return location
    }

    @Test(arguments: [
        ("http://a.example", StoreLocation.Addressing.path, "http://a.example/bucket/k%2B/%C3%BC"),
        ("https://a.example:8333", .path, "https://a.example:8333/bucket/k%2B/%C3%BC"),
        ("http://[::1]:9000", .path, "http://[::1]:9000/bucket/k%2B/%C3%BC"),
        ("https://a.example", .virtual, "https://bucket.a.example/k%2B/%C3%BC"),
        ("https://a.example:444", .virtual, "https://bucket.a.example:444/k%2B/%C3%BC"),
    ])
    func theBucketStandsInThePathOrInTheHost(
        _ endpoint: String, _ addressing: StoreLocation.Addressing, _ expected: String
    ) throws {
        let location = try location(endpoint, addressing)
        let request = StoreRequest(.get, "GetObject", key: "k+/ü")
        #expect(request.url(location, at: location.endpoint)?.description == expected)
    }

    @Test func theBucketItselfHasAQuery() throws {
        var request = StoreRequest(.get, "ListMultipartUploads")
        request.query = [("uploads", ""), ("prefix", "a b/+&=")]
        let path = try location("http://a.example", .path)
        #expect(
            request.url(path, at: path.endpoint)?.target
                == "/bucket?uploads=&prefix=a%20b%2F%2B%26%3D")
        let virtual = try location("http://a.example", .virtual)
        #expect(
            request.url(virtual, at: virtual.endpoint)?.target
                == "/?uploads=&prefix=a%20b%2F%2B%26%3D")
    }

    /// Clients and proxies take such segments out, and would ask for another object.
    @Test(arguments: ["a/../b", "../b", "a/./b", "a/.", "a/.."])
    func keysWithSegmentsOfDotsHaveNoURL(_ key: String) throws {
        let location = try location("http://a.example", .path)
        #expect(
            StoreRequest(.put, "PutObject", key: key).url(location, at: location.endpoint) == nil)
    }

    @Test(arguments: ["a//b", "/a", "a/", ".a/..b/...", "%2e%2e/"])
    func otherKeysHaveTheirOwnURL(_ key: String) throws {
        let location = try location("http://a.example", .path)
        let url = StoreRequest(.put, "PutObject", key: key).url(location, at: location.endpoint)
        let path = try #require(url).target.dropFirst("/bucket/".count)
        #expect(CanonicalText.decoded(path.utf8) == Array(key.utf8))
    }
}
