// The downloads of the tests that kill replicas, with the rules that hold for each of them.
import Foundation
import Testing

/// Downloads with receivers; some six of them are open at any time while replicas are killed.
struct KilledRelays {
    /// A download that was accepted.
    private struct Accepted {
        let id: String
        let name: String
        let method: String
        let isKeyed: Bool
    }

    /// The settings of a replica with which a download outlives many kills.
    static let settings = [
        "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "200ms", "LULL_MAX_ATTEMPTS": "100",
    ]

    private let origin: NginxOrigin
    private let scratch: Scratch
    private let taker: Taker
    private let digest: String
    private var all: [Accepted] = []
    /// For each file that was seen as received, the requests that the origin had got for it.
    private var received: [String: Int] = [:]

    /// Makes the file that all downloads fetch.
    init(from origin: NginxOrigin, to taker: Taker, in scratch: Scratch) async throws {
        self.origin = origin
        self.taker = taker
        self.scratch = scratch
        digest = try await origin.makeFile("file", length: 3_000_000)
    }

    /// Creates downloads until six are open, through each replica in turn, because the replica
    /// that accepts a download often runs it.
    mutating func fill(through clients: [RelayClient]) async throws {
        let ends = ["succeeded", "attention_required"]
        let open = try await all.suffix(12).asyncFilter {
            !ends.contains(try await clients[0].find($0.id).state)
        }
        for _ in open.count..<max(6, open.count) {
            let number = all.count
            // Methods come in threes, and are spread over the replicas by the shift.
            let client = clients[(number + number / 6) % clients.count]
            all.append(try await create(number, client))
        }
    }

    /// Creates a download whose fetch and sending take about half a second each; four of six
    /// are PUTs.
    private func create(_ number: Int, _ client: RelayClient) async throws -> Accepted {
        let method = number % 3 == 2 ? "POST" : "PUT"
        let isKeyed = number % 6 == 5
        let name = "k\(number)"
        let key = isKeyed ? #","headers":{"Idempotency-Key":"\#(name)"}"# : ""
        let url = "\(taker.bases[number % taker.bases.count])/slow/4000/\(name)"
        let id = try await client.create(
            "\(origin.base)/file?\(name)", to: #"{"url":"\#(url)","method":"\#(method)"\#(key)}"#,
            #","max_bytes_per_second":4000000"#)
        return Accepted(id: id, name: name, method: method, isKeyed: isKeyed)
    }

    /// Kills a replica, and notes which files had been received by then.
    mutating func kill(_ replica: LullProcess, seenBy client: RelayClient) async throws {
        let sending = try await all.suffix(12).asyncFilter {
            try await client.find($0.id).direction == "send"
        }
        await replica.killHard()
        let log = try scratch.read("nginx/access.log")
        for accepted in sending where received[accepted.name] == nil {
            received[accepted.name] = fetches(of: accepted.name, in: log)
        }
    }

    private func fetches(of name: String, in log: String) -> Int {
        log.split(separator: "\n").count { $0.contains("GET /file?\(name) ") }
    }

    /// Waits for the end of each download, checks it, and writes how many there were.
    func check(through client: RelayClient, _ title: String) async throws {
        var unknown = 0
        for accepted in all where try await !check(accepted, client) { unknown += 1 }
        let log = try scratch.read("nginx/access.log")
        // A kill between the rename of a file and its record costs the bytes.
        let again = received.count { fetches(of: $0.key, in: log) > $0.value }
        let counts = all.map { fetches(of: $0.name, in: log) }
        #expect(counts.allSatisfy { $0 > 0 })
        let requests = try taker.requests()
        let told =
            "\(title): \(all.count) files, \(unknown) unknown, \(counts.reduce(0, +)) fetches, "
            + "\(requests.count) requests to receivers, \(requests.count(where: \.whole)) whole; "
            + "\(received.count) files were here at a kill, \(again) of them fetched again\n"
        FileHandle.standardError.write(Data(told.utf8))
    }

    /// Whether the download succeeded.
    private func check(_ accepted: Accepted, _ client: RelayClient) async throws -> Bool {
        let end = try await client.settled(accepted.id)
        let requests = try taker.requests(of: accepted.name)
        let whole = requests.count(where: \.whole)
        let shown = "\(accepted): \(end) after \(requests)"
        if accepted.method == "PUT" || accepted.isKeyed {
            #expect(end.state == "succeeded", "\(shown)")
        } else {
            #expect(whole <= 1, "\(shown)")
        }
        if end.state == "succeeded" {
            #expect(whole >= 1, "\(shown)")
            #expect(try await taker.digest(of: accepted.name) == digest, "\(shown)")
        } else {
            #expect(end.error?.code == "destination_outcome_unknown", "\(shown)")
        }
        return end.state == "succeeded"
    }
}

extension Sequence {
    /// The elements with a property that has to be asked for.
    fileprivate func asyncFilter(
        _ isIncluded: (Element) async throws -> Bool
    ) async throws -> [Element] {
        var included: [Element] = []
        for element in self where try await isIncluded(element) { included.append(element) }
        return included
    }
}
