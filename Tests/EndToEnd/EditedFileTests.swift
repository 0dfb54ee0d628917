// Files in folders of the operator belong to other programs, which may edit them.
import Foundation
import Testing

extension EndToEndTests {
    /// Two replicas: each edit is read through the one with the file and through the one without.
    @Suite(.serialized) struct EditedFileTests {
        /// An edit that another program makes to a placed file.
        private struct Edit {
            let name: String
            /// The command, run by bash; `$f` is the file, `$o` the origin's.
            let command: String
            /// Whether the file of the service's own name has other bytes afterwards.
            let isChange: Bool
        }

        private static let edits = [
            Edit(name: "nothing", command: "true", isChange: false),
            Edit(
                name: "first byte", command: "printf X | dd of=$f conv=notrunc status=none",
                isChange: true),
            Edit(
                name: "last byte",
                command: "printf X | dd of=$f conv=notrunc status=none bs=1 seek=299999",
                isChange: true),
            Edit(name: "appended", command: "echo more >> $f", isChange: true),
            Edit(name: "cut", command: "truncate -s 299999 $f", isChange: true),
            Edit(name: "emptied", command: ": > $f", isChange: true),
            Edit(
                name: "longer and cut", command: "echo x >> $f; truncate -s 300000 $f",
                isChange: false),
            Edit(name: "touched", command: "touch $f", isChange: false),
            Edit(name: "older", command: "touch -d 2001-01-01 $f", isChange: false),
            Edit(name: "written anew", command: "cat $o > $f", isChange: false),
            Edit(name: "replaced", command: "echo other > $f.new; mv $f.new $f", isChange: false),
            Edit(name: "renamed", command: "mv $f $f.old", isChange: false),
            Edit(name: "removed", command: "rm $f", isChange: false),
            Edit(name: "other rights", command: "chmod 600 $f", isChange: false),
        ]

        @Test(.timeLimit(.minutes(10)), arguments: ["links", "copies"])
        func aPlacedFileThatWasEditedIsNotServedAsProved(_ folder: String) async throws {
            let folders = try Scratch()
            let inside = try folders.folder("in")
            try await Fleet.with({ _, _ in
                Fleet.Plan(settings: [
                    "LULL_DESTINATIONS": "links=\(inside),copies=\(inside);copy"
                ])
            }) { fleet in
                _ = try await fleet.origin.makeFile("a", length: 300_000)
                let origin = "\(fleet.origin.files)/a"
                for (number, edit) in Self.edits.enumerated() {
                    let file = "\(inside)/\(number)"
                    let id = try await place("\(number)", in: folder, fleet)
                    try await run(edit.command, file, origin)
                    let isChange = edit.isChange && folder == "links"
                    try await expect(
                        isChange ? 410 : 200, id, origin, fleet, "\(edit.name) in \(folder)")
                    guard isChange else { continue }
                    // A file that is put back is the content again.
                    try await run("cat $o > $f", file, origin)
                    try await expect(200, id, origin, fleet, "\(edit.name), put back")
                }
            }
            try folders.remove()
        }

        @Test(.timeLimit(.minutes(5)))
        func contentThatWasEditedIsShownCountedAndFetchedAgain() async throws {
            let folders = try Scratch()
            let inside = try folders.folder("in")
            try await Fleet.with({ _, _ in
                Fleet.Plan(count: 1, settings: ["LULL_DESTINATIONS": "links=\(inside)"])
            }) { fleet in
                _ = try await fleet.origin.makeFile("a", length: 300_000)
                let origin = "\(fleet.origin.files)/a"
                let id = try await place("0", in: "links", fleet)
                let url = "\(fleet.replicas[0].base)/v1/downloads/\(id)"
                #expect(try await Curl.get(url).body.contains(#""state":"held""#))
                try await run("echo more >> $f", "\(inside)/0", origin)
                let gone = try await Curl.get("\(url)/content")
                #expect(gone.status == 410 && gone.body.contains("content-changed"))
                #expect(try await Curl.get(url).body.contains(#""state":"changed""#))
                // Each state of the file is digested once.
                #expect(try await Curl.get("\(url)/content").status == 410)
                let metrics = try await Curl.get("\(fleet.replicas[0].base)/metrics").body
                #expect(metrics.contains("\nlull_content_changed_total 1\n"))
                #expect(
                    try await fleet.replicas[0].log().contains("a placed file was edited: \(id)"))
                // The event of the download's end does not change.
                let events = try await Curl.get("\(fleet.replicas[0].base)/v1/events").body
                #expect(!events.contains(#""state":"changed""#))
                try await run("rm $f", "\(inside)/0", origin)
                _ = try await fleet.client(0).act("retry", on: id)
                let again = try await fleet.client(0).download(id, wait: 60)
                #expect(again.state == "succeeded")
                #expect(try await fleet.client(0).hasContent(id, equalTo: origin))
                #expect(try await fleet.client(0).hasContent(id, equalTo: "\(inside)/0"))
            }
            try folders.remove()
        }

        private func place(
            _ path: String, in folder: String, _ fleet: Fleet
        ) async throws -> String {
            let made = try await Curl.send(
                "POST", "\(fleet.replicas[0].base)/v1/downloads",
                json: #"{"url": "\#(fleet.origin.base)/a", "destination": "#
                    + #"{"name": "\#(folder)", "path": "\#(path)"}}"#)
            struct Made: Decodable { let id: String }
            let id = try JSONDecoder().decode(Made.self, from: Data(made.body.utf8)).id
            let ended = try await fleet.client(0).download(id, wait: 60)
            #expect(ended.state == "succeeded", "\(path) in \(folder)")
            return id
        }

        private func run(_ command: String, _ file: String, _ origin: String) async throws {
            let run = try await ChildProcess.run(
                "bash", ["-ec", "f='\(file)'; o='\(origin)'; \(command)"])
            #expect(run.status == 0, "\(command): \(run.output)")
        }

        /// Reads the whole, a part and the head from both replicas, twice: before and after the
        /// edit is known.
        private func expect(
            _ status: Int, _ id: String, _ origin: String, _ fleet: Fleet, _ comment: String
        ) async throws {
            for replica in [0, 1, 0, 1] {
                let url = "\(fleet.replicas[replica].base)/v1/downloads/\(id)/content"
                let part = status == 200 ? 206 : status
                for (arguments, wanted) in [
                    ([], status), (["-r", "299990-"], part), (["-r", "5-9"], part),
                    (["-I"], status),
                ] {
                    let answer = try await ChildProcess.run(
                        "curl",
                        ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + arguments + [url])
                    #expect(
                        answer.output == "\(wanted)", "\(comment), replica \(replica) \(arguments)")
                }
                if status == 200 {
                    let isWhole = try await fleet.client(replica).hasContent(id, equalTo: origin)
                    #expect(isWhole, "\(comment), replica \(replica)")
                } else {
                    #expect(try await Curl.get(url).body.contains("\"content-changed\""))
                }
            }
        }
    }
}
