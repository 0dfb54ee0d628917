// An answer in the form in which tests look at it.
import Base
import HTTPWire
import Testing

/// A response with its body at hand.
struct Reply {
    let response: Response

    var status: Int { response.status }

    /// The first header field of that name.
    subscript(name: String) -> String? {
        response.headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }

    /// The body, where it is in memory.
    var bytes: [UInt8] {
        guard case .bytes(let bytes) = response.body else { return [] }
        return bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON; null if it is not JSON.
    var json: JSON {
        do throws(JSONError) {
            return try JSON.parse(bytes)
        } catch {
            return .null
        }
    }

    /// The file that is the body.
    var file: FileRegion? {
        guard case .file(let region) = response.body else { return nil }
        return region
    }

    /// Pointers of the findings of a problem.
    var pointers: [String] {
        json["errors"]?.arrayValue?.compactMap { $0["pointer"]?.stringValue } ?? []
    }

    /// Expects a whole problem document of this kind.
    func expectProblem(
        _ code: String, status: Int, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, sourceLocation: location)
        #expect(self["Content-Type"] == "application/problem+json", sourceLocation: location)
        #expect(json["code"]?.stringValue == code, "\(text)", sourceLocation: location)
        #expect(json["type"]?.stringValue == "/problems/" + code, sourceLocation: location)
        #expect(json["status"]?.integerValue == Int64(status), sourceLocation: location)
        #expect(json["title"]?.stringValue?.isEmpty == false, sourceLocation: location)
        #expect(json["detail"]?.stringValue?.isEmpty == false, sourceLocation: location)
        #expect(json["instance"]?.stringValue?.first == "/", sourceLocation: location)
        #expect(json["request_id"]?.stringValue == self["X-Request-Id"], sourceLocation: location)
        #expect(bytes.last == UInt8(ascii: "\n"), sourceLocation: location)
        #expect(self["X-Request-Id"]?.hasPrefix("req_") == true, sourceLocation: location)
    }
}
