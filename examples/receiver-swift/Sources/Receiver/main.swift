// Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once:
//     SECRET=whsec_... PORT=9000 swift run
import Foundation
import Glibc

struct Event: Decodable {
    struct Subject: Decodable {
        let id: String?
        /// Events of sessions have it; they come only if they are named in the subscription.
        let identifier: String?
    }
    let type: String
    let data: Subject
}

let settings = ProcessInfo.processInfo.environment
guard let secret = settings["SECRET"], let port = settings["PORT"].flatMap(UInt16.init) else {
    print("SECRET and PORT are needed")
    exit(2)
}
// Where it has to outlast a restart: a column that is unique.
var seen: Set<String> = []
let listener = try Listener(port: port)
while let request = listener.next() {
    let now = Int(Date().timeIntervalSince1970)
    guard isGenuine(secret: secret, fields: request.fields, body: request.body, now: now) else {
        request.answer("401 Unauthorized")
        continue
    }
    let event = try JSONDecoder().decode(Event.self, from: request.body)
    // The same event may come again.
    if seen.insert(request.fields["webhook-id"] ?? "").inserted {
        // print would keep lines back while standard output is a file.
        let subject = event.data.id ?? event.data.identifier ?? ""
        FileHandle.standardOutput.write(Data("\(event.type) \(subject)\n".utf8))
    }
    // Received; after a session.wake: done (202: still at work).
    request.answer("204 No Content")
}
