internal import Foundation

/// Resume data: the name of a suspended download, which has the bytes in the service.
struct ResumeToken: Codable, Sendable {
    /// The version of these data.
    var lull = 1
    let session: String
    let id: String
    let url: String

    init(session: String, id: String, url: String) {
        self.session = session
        self.id = id
        self.url = url
    }

    /// Reads resume data; nil for those of another program.
    init?(_ data: Data) {
        guard let token = try? JSONDecoder().decode(ResumeToken.self, from: data), token.lull == 1
        else { return nil }
        self = token
    }

    var data: Data {
        guard let data = try? JSONEncoder().encode(self) else {
            preconditionFailure("three texts and a number are JSON")
        }
        return data
    }
}
