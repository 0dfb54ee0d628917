// Each kind of problem has its page, including the kinds of the HTTP server.
import Base
import Foundation
import HTTPWire
import Testing

@testable import API

@Suite struct ProblemPageTests {
    @Test func everyProblemKindHasAPage() async throws {
        let world = try APIWorld.alone()
        for kind in ProblemKind.allCases {
            let reply = await world.send("GET", kind.path)
            #expect(reply.status == 200)
            #expect(reply["Content-Type"] == "text/html; charset=utf-8")
            #expect(reply.text.contains(kind.rawValue) && reply.text.contains(kind.title))
        }
        await world.send("GET", "/problems/none").expectProblem("not-found", status: 404)
    }

    @Test func everyProblemKindIsInTheDocuments() throws {
        let list = try String(
            contentsOf: repository.appending(path: "docs/errors.md"), encoding: .utf8)
        for kind in ProblemKind.allCases {
            #expect(list.contains("| \(kind.status) | `\(kind.rawValue)` | "), "\(kind)")
        }
        #expect(list.matches(of: #/\n\| [0-9]{3} \| `/#).count == ProblemKind.allCases.count)
    }

    /// The parser's refusals have slugs of their own: each must be a kind with an equal status.
    @Test func parserRejectionsHavePages() throws {
        let source = try String(
            contentsOf: repository.appending(path: "Sources/HTTPWire/Request/Rejection.swift"),
            encoding: .utf8)
        let found = source.matches(of: /status: ([0-9]{3}), code: "([a-z0-9-]+)"/)
        #expect(found.count >= 7)
        for match in found {
            let kind = try #require(ProblemKind(rawValue: String(match.2)), "\(match.2)")
            #expect(kind.status == Int(match.1))
        }
    }

    @Test func refusalsAreProblemDocuments() throws {
        var problem = Problem.invalid([FieldError("#/a", "is wrong"), FieldError("#/b", "too")])
        problem.headers = [("Retry-After", "1")]
        let reply = Reply(response: problem.response(instance: "/x", requestID: "req_1"))
        #expect(reply.pointers == ["#/a", "#/b"])
        #expect(reply["Retry-After"] == "1")
        #expect(reply.json["instance"] == "/x" && reply.json["request_id"] == "req_1")
        #expect(
            reply.json["detail"]
                == "2 places of the request are wrong; the first one: #/a is wrong")
    }
}

/// The folder of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
