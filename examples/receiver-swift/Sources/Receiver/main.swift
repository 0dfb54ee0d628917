// Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once:
//     SECRET=whsec_... PORT=9000 swift run
import Foundation
import Glibc
import LullClient

let settings = ProcessInfo.processInfo.environment
guard let secret = settings["SECRET"], let port = settings["PORT"].flatMap(UInt16.init) else {
    print("SECRET and PORT are needed")
    exit(2)
}
// Where it has to outlast a restart: a column that is unique.
var seen: Set<String> = []
let listener = try Listener(port: port)
while let request = listener.next() {
    let webhook: Webhook
    do {
        webhook = try Webhook.verify(body: request.body, headers: request.fields, secret: secret)
    } catch {
        request.answer("401 Unauthorized")
        continue
    }
    // The same event may come again.
    if seen.insert(webhook.id).inserted {
        // print would keep lines back while standard output is a file. Events of sessions come only if
        // they are named in the subscription.
        let data = webhook.event.data
        let subject = data.id ?? data.session?.identifier ?? ""
        FileHandle.standardOutput.write(Data("\(webhook.event.type) \(subject)\n".utf8))
    }
    // Received; after a session.wake: done (202: still at work).
    request.answer("204 No Content")
}
