// The declared routes, with which every answer of a test is compared.
import HTTPWire
import Testing

@testable import API

extension RouteTable {
    /// The routes of a path, each with the values of its placeholders.
    func matches(_ path: String) -> [(route: Route, parameters: [String])] {
        var found: [(route: Route, parameters: [String])] = []
        let none: Void? = first(of: path) { routes, parameters in
            found += routes.map { ($0, parameters) }
            return nil
        }
        #expect(none == nil)
        return found
    }
}

extension APIWorld {
    /// Every endpoint.
    var routes: [Route] { table.routes }

    /// Compares an answer with the declaration of its route: a status below 400 has its media type.
    ///
    /// Problems may come from every endpoint, and have their own test.
    func expectDeclared(_ reply: Reply, of request: Request) {
        let matches = table.matches(request.path).map(\.route)
        let route =
            matches.first { $0.method == request.method }
            ?? matches.first { request.isHead && $0.method == "GET" }
        guard let route, reply.status < 400 else { return }
        let type = reply["Content-Type"].map { $0.prefix { $0 != ";" } }
        let isDeclared = route.answers.contains { answer in
            guard answer.status == reply.status else { return false }
            // A 304 may have the fields of the 200 (RFC 9110 section 15.4.5).
            if answer.types.isEmpty { return type == nil || reply.status == 304 }
            guard let type else { return false }
            return answer.types.contains { $0 == type || $0 == "*/*" }
        }
        #expect(isDeclared, "\(route.operation) declares no \(reply.status) \(type ?? "-")")
    }
}
