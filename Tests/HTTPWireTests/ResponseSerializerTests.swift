// Heads of answers, byte for byte.
import HTTPWire
import Testing

@Suite struct ResponseSerializerTests {
    private func head(
        _ response: Response, _ persistence: ResponseSerializer.Persistence = .open,
        version: HTTPVersion = .http11
    ) -> String {
        var bytes: [UInt8] = []
        ResponseSerializer.appendHead(
            of: response, date: Array("D".utf8), persistence: persistence, version: version,
            to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func headerHasStatusDateLengthAndOwnFields() {
        let response = Response(
            status: 200, headers: [("Content-Type", "text/plain"), ("ETag", "\"1\"")],
            body: .bytes([1, 2, 3]))
        #expect(
            head(response) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 3\r\n"
                + "Content-Type: text/plain\r\nETag: \"1\"\r\n\r\n")
        #expect(
            head(Response(status: 404), .close) == "HTTP/1.1 404 Not Found\r\nDate: D\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(
            head(Response(status: 299), .openDeclared) == "HTTP/1.1 299 Success\r\nDate: D\r\n"
                + "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test(arguments: [204, 304]) func answers1xx204And304HaveNoContent(_ status: Int) {
        #expect(!head(Response(status: status, body: .bytes([1]))).contains("Content-Length"))
        #expect(!ResponseSerializer.sendsContent(status: status, isHead: false))
    }

    @Test func headHasTheLengthAndNoContent() {
        #expect(head(Response(status: 200, body: .bytes([1]))).contains("Content-Length: 1\r\n"))
        #expect(!ResponseSerializer.sendsContent(status: 200, isHead: true))
        #expect(ResponseSerializer.sendsContent(status: 200, isHead: false))
    }

    @Test func aFileHasTheLengthOfItsRegion() {
        let region = FileRegion(descriptor: 0, offset: 5, length: 1_234_567_890_123) {}
        let response = Response(status: 206, body: .file(region))
        #expect(head(response).contains("\r\nContent-Length: 1234567890123\r\n"))
    }

    @Test func streamsHaveNoLength() {
        let response = Response(status: 200, body: .stream(BodyStream { _ in }))
        #expect(
            head(response) == "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(
            head(response, .close, version: .http10)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nConnection: close\r\n\r\n")
        var bytes: [UInt8] = []
        ResponseSerializer.appendChunk([UInt8](repeating: 0x61, count: 26), to: &bytes)
        bytes += ResponseSerializer.lastChunk
        let text = "1a\r\n" + String(repeating: "a", count: 26) + "\r\n0\r\n\r\n"
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func framingFieldsOfAHandlerAreDropped() {
        let response = Response(
            status: 200,
            headers: [
                ("CONTENT-LENGTH", "9"), ("Transfer-Encoding", "chunked"), ("connection", "x"),
                ("Date", "never"), ("Dete", "kept"),
            ])
        #expect(
            head(response)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\nDete: kept\r\n\r\n")
    }

    @Test func fieldValuesCannotInjectLines() {
        let response = Response(status: 200, headers: [("Location", "/a\r\nSet-Cookie: b\u{0}")])
        #expect(head(response).hasSuffix("\r\nLocation: /a  Set-Cookie: b \r\n\r\n"))
    }
}
