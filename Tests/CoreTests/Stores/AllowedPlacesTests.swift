// The stores in the operator's list of places.
import Base
import Downloads
import Testing

@Suite struct AllowedPlacesTests {
    private static func store(_ text: String) throws -> StoreLocation {
        try #require(try AllowedPlaces.parse("cold=" + text).find("cold", app: "a")?.store)
    }

    @Test func aStoreHasTheDefaultsOfItsParameters() throws {
        let store = try Self.store("s3://bucket?endpoint=https://s3.example")
        #expect(store.bucket == "bucket" && store.prefix == "" && store.key(for: "a/b") == "a/b")
        #expect(store.endpoint.origin == "https://s3.example:443")
        #expect(store.region == "us-east-1" && store.addressing == .path)
        #expect(store.checksum == .sha256 && store.profile == "default")
        #expect(store.credentialsFile == nil && store.publicEndpoint == nil)
    }

    @Test func allParametersAreReadAndPercentDecoded() throws {
        let places = try AllowedPlaces.parse(
            "media=/srv/media,cold@app=s3://b.c-1/a%2Cb/c/?endpoint=http%3A%2F%2F127.0.0.1:8333"
                + "&public_endpoint=https://cdn.example&region=eu-central-1&addressing=path"
                + "&checksum=crc64nvme&profile=lull%20one&credentials_file=/run/aws%26x")
        let store = try #require(places.find("cold", app: "app")?.store)
        #expect(places.find("cold", app: "other") == nil)
        #expect(places.find("media", app: "app")?.folder?.path == "/srv/media")
        #expect(store.bucket == "b.c-1" && store.prefix == "a,b/c")
        #expect(store.key(for: "x") == "a,b/c/x")
        #expect(store.endpoint.origin == "http://127.0.0.1:8333")
        #expect(store.publicEndpoint?.origin == "https://cdn.example:443")
        #expect(store.region == "eu-central-1" && store.checksum == .crc64nvme)
        #expect(store.profile == "lull one" && store.credentialsFile == "/run/aws&x")
    }

    @Test(arguments: [
        ("s3://bucket", "endpoint is required"),
        ("s3://bucket?region=x", "endpoint is required"),
        ("s3://Bucket?endpoint=https://a.example", "a bucket has"),
        ("s3://b?endpoint=https://a.example", "a bucket has"),
        ("s3://?endpoint=https://a.example", "a bucket has"),
        ("s3://bucket/../x?endpoint=https://a.example", "the prefix must not have"),
        ("s3://bucket/.lull?endpoint=https://a.example", "the prefix must not begin"),
        ("s3://bucket?endpoint=https://a.example/path", "no path and no query"),
        ("s3://bucket?endpoint=https://a.example/?x=y", "no path and no query"),
        ("s3://bucket?endpoint=ftp://a.example", "endpoint: "),
        ("s3://bucket?endpoint=http://169.254.169.254", "must not be a link-local"),
        ("s3://bucket?endpoint=http://169.254.7.7:80", "must not be a link-local"),
        ("s3://bucket?endpoint=http://0xa9fea9fe", "must not be a link-local"),
        ("s3://bucket?endpoint=http://[fe80::1]", "must not be a link-local"),
        ("s3://bucket?endpoint=http://[::ffff:169.254.169.254]", "must not be a link-local"),
        ("s3://bucket?endpoint=http://[fd00:ec2::254]", "must not be a link-local"),
        (
            "s3://bucket?endpoint=https://a.example&public_endpoint=http://169.254.169.254",
            "public_endpoint must not be a link-local"
        ),
        ("s3://bucket?endpoint=https://a.example&colour=red", "there is no parameter colour"),
        ("s3://bucket?endpoint=https://a.example&region=a&region=b", "more than once"),
        ("s3://bucket?endpoint=https://a.example&region=", "region must have"),
        ("s3://bucket?endpoint=https://a.example&region", "must have a value"),
        ("s3://bucket?endpoint=https://a.example&region=%zz", "must have a value"),
        ("s3://bucket?endpoint=https://a.example&checksum=md5", "checksum must be one of"),
        ("s3://bucket?endpoint=https://a.example&addressing=host", "addressing must be one of"),
        ("s3://bucket?endpoint=http://127.0.0.1&addressing=virtual", "needs an endpoint with"),
        ("s3://bucket?endpoint=https://a.example&credentials_file=aws", "an absolute path"),
    ])
    func aBadStoreIsRefusedWithASentence(_ text: String, _ sentence: String) throws {
        let error = try #require(throws: AllowedPlaces.ParseError.self) {
            try AllowedPlaces.parse("cold=" + text)
        }
        #expect(error.description.contains(sentence), "\(error)")
        #expect(error.description.hasPrefix("the store cold: "))
    }

    @Test func addressesOfThisMachineAndOfPrivateNetworksAreAllowed() throws {
        for host in ["127.0.0.1:9", "10.0.0.7", "[::1]:8333", "[fd00::7]", "localhost"] {
            #expect(try Self.store("s3://bucket?endpoint=http://" + host).endpoint.scheme == .http)
        }
    }

    @Test func anAcceptedDestinationNamesThePlaceOfThen() throws {
        let places = try AllowedPlaces.parse(
            "media=/srv/media,cold=s3://bucket?endpoint=http://127.0.0.1:9")
        var cold = FileDestination(name: "cold")
        #expect(!places.takes(cold, app: "a"))
        cold.store = "http://127.0.0.1:9"
        #expect(places.takes(cold, app: "a"))
        cold.store = "http://127.0.0.1:10"
        #expect(!places.takes(cold, app: "a"))
        var media = FileDestination(name: "media")
        #expect(places.takes(media, app: "a"))
        media.store = "http://127.0.0.1:9"
        #expect(!places.takes(media, app: "a"))
    }

    @Test func aKeyHasAtMostTheBytesOfTheProtocolWithItsPrefix() throws {
        let store = try Self.store("s3://bucket/prefix?endpoint=http://127.0.0.1:9")
        #expect(store.takes(String(repeating: "a", count: 1017)))
        #expect(!store.takes(String(repeating: "a", count: 1018)))
    }
}
