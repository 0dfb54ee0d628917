// An entity tag of any bytes, kept in the database between two attempts.
import Base
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct HeaderBytesRowTests {
    private static let bytes = (UInt8(0x21)...0xff).filter { $0 != 0x7f && $0 != 0x22 }

    @Test func anETagOfAnyBytesIsStoredAndComesBackInIfRange() async throws {
        let file = content(9000)
        try await Replica.with({ request in
            let byte = UInt8(request.target.dropFirst()) ?? 0
            let tag = Array("\r\nETag: \"caf".utf8) + [byte, 0x22] + Array("\r\n\r\n".utf8)
            guard let start = request.rangeStart else {
                return [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 9000"), .sendBytes(tag),
                    .sendBytes(Array(file[..<4000])), .close,
                ]
            }
            guard request.bytes("if-range") == Array("\"caf".utf8) + [byte, 0x22] else {
                return Answer.status("500 another tag")
            }
            return [
                .send(
                    "HTTP/1.1 206 P\r\nContent-Length: \(9000 - start)\r\n"
                        + "Content-Range: bytes \(start)-8999/9000"), .sendBytes(tag),
                .sendBytes(Array(file[start...])),
            ]
        }) { replica, origin in
            var ids: [(UInt8, Identifier)] = []
            for byte in Self.bytes {
                ids.append((byte, try await replica.submit(origin.url("/\(byte)"))))
            }
            for (byte, id) in ids {
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == file)
                let shown = record.download.result["response"]?["etag"]?.stringValue
                #expect(shown == "\"caf\(Unicode.Scalar(byte))\"")
            }
            #expect(origin.requests.count == 2 * Self.bytes.count)
        }
    }
}
