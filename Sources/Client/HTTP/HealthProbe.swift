/// One question to a service, for checks of its health.
package enum HealthProbe {
    /// Asks for a path; blocks the thread.
    ///
    /// - Parameters:
    ///   - path: the path of the request.
    ///   - server: the address of the service.
    ///   - limit: how long all of it may take.
    /// - Returns: the status and the body.
    /// - Throws: `ClientFailure` where there is no answer.
    package static func get(
        _ path: String, at server: ServerAddress, within limit: Duration
    ) throws(ClientFailure) -> (status: Int, body: [UInt8]) {
        let transport = try HTTPTransport(ClientSettings(server: server, key: nil))
        var request = Request("GET", path)
        request.timeout = limit
        let reply = try transport.exchange(request)
        return (reply.status, reply.body)
    }
}
