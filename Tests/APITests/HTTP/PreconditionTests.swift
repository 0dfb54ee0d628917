// Every resource and method with every form of If-Match and If-None-Match, judged a second time.
import Base
import HTTPWire
import Postgres
import Testing

@testable import API

@Suite struct PreconditionTests {
    /// A resource that supports conditions.
    struct Target: Sendable {
        let method: String
        let path: String
        var body: String?
        /// The status without conditions.
        let status: Int
        /// The current tag; nil if the resource does not exist.
        let tag: String?
        /// Whether `*` matches the resource.
        var isStored = true
        /// Whether `If-Match` compares the number before the hyphen alone.
        var comparesSequence = false

        var isSafe: Bool { method == "GET" || method == "HEAD" }
    }

    /// The lines of one field; `tags` is nil for lines that cannot be read.
    struct Form: Sendable {
        let lines: [String]
        var tags: [String]? = []
        var isAny = false
    }

    private static func forms(_ current: String?) -> [Form] {
        let tag = current ?? "\"gone\""
        let flipped = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : "W/" + tag
        let many = Array(repeating: tag, count: 65).joined(separator: ",")
        var forms = [
            Form(lines: [tag], tags: [tag]), Form(lines: ["*"], isAny: true),
            Form(lines: ["\"x\""], tags: ["\"x\""]), Form(lines: ["\"x\" \(tag)"], tags: nil),
            Form(lines: [flipped], tags: [flipped]), Form(lines: ["\"x\", \(tag)"], tags: [tag]),
            Form(lines: [" ,, \(tag),"], tags: [tag]), Form(lines: ["\"x\"", tag], tags: [tag]),
            Form(lines: [""], tags: []), Form(lines: [","], tags: []),
            Form(lines: ["*, \(tag)"], tags: nil), Form(lines: [tag, "*"], tags: nil),
            Form(lines: [many], tags: nil), Form(lines: ["x"], tags: nil),
            Form(lines: [tag + "\""], tags: nil),
        ]
        // Tags near a download's own: other bytes, another number, and text that only looks like
        // the tag.
        let number = tag.split(separator: "\"").last?.split(separator: "-").first.map(String.init)
        if let number, let sequence = Int(number) {
            let names = [
                "\(number)-99", "\(sequence + 1)-0", number, "0\(number)-0", "\(number)-",
                "\(number)-x", "\(number)-0-0", "+\(number)-0", "-\(number)-0",
            ]
            forms += names.map { Form(lines: ["W/\"\($0)\""], tags: ["W/\"\($0)\""]) }
        }
        return forms
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.drop { $0 != "\"" }.dropFirst().dropLast()
    }

    private static func isNamed(_ target: Target, by form: Form, strongly: Bool) -> Bool {
        guard let current = target.tag else { return false }
        if form.isAny { return target.isStored }
        return (form.tags ?? []).contains { tag in
            guard strongly else { return opaque(tag) == opaque(current) }
            if target.comparesSequence {
                let parts = opaque(tag).split(separator: "-", omittingEmptySubsequences: false)
                return parts.count == 2 && parts[0] == opaque(current).prefix { $0 != "-" }
                    && parts[1].wholeMatch(of: /[0-9]+/) != nil
            }
            return tag == current && !tag.hasPrefix("W/")
        }
    }

    /// RFC 9110 section 13.2.2, steps 1 and 3.
    private static func expected(_ target: Target, _ match: Form?, _ noneMatch: Form?) -> Int {
        if let match, !isNamed(target, by: match, strongly: true) { return 412 }
        guard let noneMatch else { return target.status }
        if isNamed(target, by: noneMatch, strongly: false) { return target.isSafe ? 304 : 412 }
        return noneMatch.tags == nil && !target.isSafe ? 412 : target.status
    }

    /// Every form of each field alone, and pairs of the first four forms.
    private static func conditions(_ tag: String?) -> [(Form?, Form?)] {
        let forms = forms(tag)
        let few = forms.prefix(4)
        return forms.map { ($0, nil) } + forms.map { (nil, $0) }
            + few.flatMap { match in few.map { (match, $0) } }
    }

    /// Sends each condition; `make` prepares one state for each request.
    private func judge(
        _ name: String, _ world: APIWorld, _ make: (Int) async throws -> Target
    ) async throws -> Int {
        var count = 0
        for number in 0... {
            let target = try await make(number)
            let all = PreconditionTests.conditions(target.tag)
            guard number < all.count else { break }
            let (match, noneMatch) = all[number]
            let headers =
                (match?.lines.map { ("If-Match", $0) } ?? [])
                + (noneMatch?.lines.map { ("If-None-Match", $0) } ?? [])
            let reply = await world.send(
                target.method, target.path, target.body, headers: headers)
            let status = PreconditionTests.expected(target, match, noneMatch)
            #expect(reply.status == status, "\(name) \(headers.map { "\($0): \($1)" })")
            if status == 304 { #expect(reply["ETag"] == target.tag && reply.bytes.isEmpty) }
            if status == 412 {
                reply.expectProblem("precondition-failed", status: 412)
                let now = await tag(target, world)
                #expect(now == target.tag, "\(name): something was done")
            }
            count += 1
        }
        return count
    }

    /// The tag that GET gives.
    private func tag(_ target: Target, _ world: APIWorld) async -> String? {
        let actions = ["/suspend", "/resume", "/cancel", "/retry"]
        let action = actions.first { target.path.hasSuffix($0) } ?? ""
        return await world.send("GET", String(target.path.dropLast(action.count)))["ETag"]
    }

    @Test(arguments: ["GET", "HEAD", "PATCH", "DELETE", "suspend", "resume", "cancel", "retry"])
    func downloads(_ method: String) async throws {
        try await APIWorld.with { world in
            let count = try await judge(method, world) { _ in
                let id = try #require(await world.create().json["id"]?.stringValue)
                let path = "/v1/downloads/\(id)"
                switch method {
                case "resume": _ = await world.send("POST", path + "/suspend")
                case "retry": try await world.fail(id)
                case "DELETE": _ = await world.send("POST", path + "/cancel")
                case "PATCH": try await world.run(id, bytes: 5)
                default: break
                }
                let isAction = method == method.lowercased()
                return Target(
                    method: isAction ? "POST" : method,
                    path: path + (isAction ? "/" + method : ""),
                    body: method == "PATCH" ? #"{"priority":0.7}"# : nil,
                    status: method == "DELETE" ? 204 : 200,
                    tag: await world.send("GET", path)["ETag"], comparesSequence: true)
            }
            #expect(count > 60)
        }
    }

    @Test(arguments: ["GET", "HEAD", "DELETE"])
    func content(_ method: String) async throws {
        let digest = String(repeating: "a", count: 64)
        try await APIWorld.with { world in
            world.told.change {
                $0.content = .open(FileRegion(descriptor: 0, offset: 0, length: 10, close: {}))
            }
            func succeeded() async throws -> String {
                let id = try #require(await world.create().json["id"]?.stringValue)
                try await world.succeed(
                    id, result: ["content": ["length": 10, "sha256": .string(digest)]])
                return "/v1/downloads/\(id)/content"
            }
            let held = try await judge("held", world) { _ in
                Target(
                    method: method, path: try await succeeded(),
                    status: method == "DELETE" ? 204 : 200, tag: "\"sha256-\(digest)\"")
            }
            #expect(held > 40)
            guard method == "DELETE" else { return }
            let path = try await succeeded()
            #expect(await world.send("DELETE", path).status == 204)
            let released = try await judge("released", world) { _ in
                Target(method: method, path: path, status: 204, tag: nil)
            }
            #expect(released > 40)
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT"]) func policy(_ method: String) async throws {
        try await APIWorld.with { world in
            for version in 0...1 {
                let count = try await judge("version \(version)", world) { number in
                    if version == 0 { _ = try await world.pool.query("DELETE FROM policies") }
                    if version == 1, number == 0 { _ = await world.send("PUT", "/v1/policy", "{}") }
                    return Target(
                        method: method, path: "/v1/policy", body: method == "PUT" ? "{}" : nil,
                        status: 200, tag: await world.send("GET", "/v1/policy")["ETag"],
                        isStored: version > 0)
                }
                #expect(count > 40)
            }
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT"]) func sessions(_ method: String) async throws {
        try await APIWorld.with { world in
            let body = method == "PUT" ? "{}" : nil
            let known = try await judge("known", world) { _ in
                let path = "/v1/sessions/known"
                if await world.send("GET", path).status == 404 {
                    _ = await world.send("PUT", path, "{}")
                }
                return Target(
                    method: method, path: path, body: body, status: 200,
                    tag: await world.send("GET", path)["ETag"], comparesSequence: true)
            }
            #expect(known > 40)
            guard method == "PUT" else { return }
            let missing = try await judge("missing", world) { number in
                Target(
                    method: method, path: "/v1/sessions/s\(number)", body: body, status: 201,
                    tag: nil)
            }
            #expect(missing > 40)
        }
    }

    @Test func missingResourcesAre404BeforeConditions() async throws {
        try await APIWorld.with { world in
            let path = "/v1/downloads/dl_01JZ8Q2M9V7T4K3H2G1F0E9D8C"
            for (method, end, body) in [
                ("GET", "", nil), ("HEAD", "", nil), ("PATCH", "", "{}"), ("DELETE", "", nil),
                ("POST", "/cancel", nil), ("GET", "/content", nil), ("DELETE", "/content", nil),
            ] {
                for field in ["If-Match", "If-None-Match"] {
                    for value in ["*", "\"x\"", "x"] {
                        let reply = await world.send(
                            method, path + end, body, headers: [(field, value)])
                        reply.expectProblem("not-found", status: 404)
                    }
                }
            }
        }
    }
}
