// The expiry of signed URLs, in the notation of the clouds.
import Base
import Downloads
import Testing

@Suite struct SignedURLTests {
    private static let urls: [(String, String?)] = [
        (
            "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date="
                + "20261121T101500Z&X-Amz-Expires=3600&X-Amz-Signature=ab", "2026-11-21T11:15:00Z"
        ),
        (
            "https://storage.googleapis.com/b/k?X-Goog-Date=20261121T235959Z&X-Goog-Expires=1",
            "2026-11-22T00:00:00Z"
        ),
        (
            "https://b.oss.example/k?x-oss-date=20261121T101500Z&x-oss-expires=0",
            "2026-11-21T10:15:00Z"
        ),
        (
            "https://d.cloudfront.net/k?Expires=1795309200&Signature=x&Key-Pair-Id=y",
            "2026-11-22T01:00:00Z"
        ),
        (
            "https://a.blob.core.windows.net/c/b?sv=1&se=2026-11-22T01%3A00%3A00Z&sig=x",
            "2026-11-22T01:00:00Z"
        ),
        ("https://a.blob.core.windows.net/c/b?se=2026-11-22&sig=x", "2026-11-22T00:00:00Z"),
        ("https://a.blob.core.windows.net/c/b?se=2026-11-22T01:00Z&sig=x", "2026-11-22T01:00:00Z"),
        ("https://a.blob.core.windows.net/c/b?se=soonZ&sig=x", nil),
        (
            "https://h/k?hdnts=st=1795305600~exp=1795309200~acl=/*~hmac=ab", "2026-11-22T01:00:00Z"
        ),
        ("https://h/k?hdnea=exp%3D1795309200%7Eacl%3D%2F*", "2026-11-22T01:00:00Z"),
        ("https://h/k?hdnea=acl=/*", nil),
        // {"Statement":[{"Condition":{"DateLessThan":{"AWS:EpochTime":1795309200}}}]}
        (
            "https://d.cloudfront.net/k?Policy=eyJTdGF0ZW1lbnQiOlt7IkNvbmRpdGlvbiI6eyJEYXRlTGVzc1R"
                + "oYW4iOnsiQVdTOkVwb2NoVGltZSI6MTc5NTMwOTIwMH19fV19&Signature=x",
            "2026-11-22T01:00:00Z"
        ),
        ("https://h/k?Policy=eyJ", nil),
        ("https://h/k?expires=1795309200#se=1", "2026-11-22T01:00:00Z"),
        ("https://h/k?se=2026-11-22T01:00:00Z", nil), ("https://h/k", nil), ("https://h/k?", nil),
        ("https://h/k?Expires=soon", nil), ("https://h/k?Expires=", nil),
        ("https://h/k?Expires=99999999999999999999", nil),
        ("https://h/k?X-Amz-Date=20261121T101500Z", nil),
        ("https://h/k?X-Amz-Date=20261321T101500Z&X-Amz-Expires=1", nil),
        ("https://h/k?X-Amz-Date=2026&X-Amz-Expires=1", nil), ("https://h/k#?Expires=1", nil),
        ("https://h/k?%ZZ=1&a%=2&Expires=%31", "1970-01-01T00:00:01Z"),
    ]

    @Test(arguments: urls)
    func signedURLExpiresAtItsTimestamp(_ url: String, _ end: String?) {
        #expect(SignedURL.expiry(of: url) == end.flatMap { Timestamp(rfc3339: $0) })
    }

    @Test(arguments: [
        ("<Error><Code>ExpiredToken</Code></Error>", true),
        ("<Code>AccessDenied</Code><Message>Request has expired</Message>", true),
        (
            "<Code>AuthenticationFailed</Code><Message>Server failed.</Message><Detail>Signature "
                + "not valid in the specified time frame: Start</Detail>", true
        ),
        ("<Code>AuthenticationFailed</Code>", false),
        ("Signature not valid in the specified time frame", false),
        ("<Code>AccessDenied</Code>", false), ("", false),
    ])
    func anErrorSaysThatASignatureIsOver(_ text: String, _ isOver: Bool) {
        #expect(SignedURL.saysExpired(Array(text.utf8)) == isOver)
    }

    @Test func firstOfTwoExpiryParametersCounts() {
        #expect(
            SignedURL.expiry(of: "https://h/?Expires=1&Expires=2") == Timestamp(seconds: 1))
    }
}
