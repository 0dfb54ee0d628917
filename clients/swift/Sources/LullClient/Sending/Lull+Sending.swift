import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Lull {
    /// The JSON of a 2xx.
    func value<Value: Decodable>(_ call: Call) async throws(LullError) -> Value {
        try read(try await answer(to: call), call)
    }

    /// The JSON of a 2xx; nil for 204.
    func valueIfAny<Value: Decodable>(_ call: Call) async throws(LullError) -> Value? {
        let answer = try await answer(to: call)
        return answer.status == 204 ? nil : try read(answer, call)
    }

    private func read<Value: Decodable>(
        _ answer: Answer, _ call: Call
    ) throws(LullError) -> Value {
        do {
            return try JSONForm.read(Value.self, from: answer.body)
        } catch {
            throw .unreadable("the answer to \(call.operation): \(error)")
        }
    }

    /// The text of a 2xx.
    func text(_ call: Call) async throws(LullError) -> String {
        String(decoding: try await answer(to: call).body, as: UTF8.self)
    }

    /// Where a 3xx leads.
    func location(_ call: Call) async throws(LullError) -> String {
        try await answer(to: call).fields["location"] ?? ""
    }

    /// Waits for a 2xx.
    func finish(_ call: Call) async throws(LullError) {
        _ = try await answer(to: call)
    }

    /// Sends a call until there is an answer, and throws what is neither a 2xx nor a 3xx.
    ///
    /// A call that may be repeated is sent again where no answer came, and after 429, 502, 503, 504
    /// and 409 `idempotency-key-in-progress`; others only after 429, which changes nothing.
    func answer(
        to call: Call, take: (@Sendable (HTTPURLResponse, Data) -> Bool)? = nil
    ) async throws(LullError) -> Answer {
        onCall?(call.operation)
        let clock = ContinuousClock()
        let end = options.deadline.map { clock.now + $0 + .seconds(call.heldSeconds) }
        var attempt = 1
        while true {
            let failure: LullError
            let told: Int?
            do {
                let answer = try await wire.send(
                    request(call), within: end.map { $0 - clock.now }, take: take)
                if answer.status < 400 { return answer }
                failure = answer.failure
                told = answer.retryAfter
            } catch {
                failure = error
                told = nil
            }
            guard attempt < options.attempts, Lull.isPassing(failure, call) else { throw failure }
            let pause = Lull.pause(attempt, told: told, longest: options.longestPause)
            if let end, clock.now + pause >= end { throw failure }
            try await Lull.sleep(pause)
            attempt += 1
        }
    }

    /// Whether another try of the call may succeed, and changes nothing twice.
    static func isPassing(_ failure: LullError, _ call: Call) -> Bool {
        switch failure {
        case .unreachable: return call.mayRepeat
        case .unexpectedAnswer(let status):
            return call.mayRepeat && [502, 503, 504].contains(status)
        case .problem(let problem, _):
            if problem.status == 429 { return true }
            let passes = [502, 503, 504].contains(problem.status)
            return call.mayRepeat && (passes || problem.code == .idempotencyKeyInProgress)
        default: return false
        }
    }

    /// The wait after a number of tries: doubled each time, with chance, or as long as was told.
    static func pause(_ attempt: Int, told: Int?, longest: Duration) -> Duration {
        if let told { return .seconds(min(max(told, 1), 3600)) }
        let doubled = longest / 50 * (1 << min(attempt - 1, 6))
        return min(longest, doubled) * Double.random(in: 0.5...1)
    }

    static func sleep(_ pause: Duration) async throws(LullError) {
        do {
            try await Task.sleep(for: pause)
        } catch {
            throw .canceled
        }
    }

    func request(_ call: Call) -> URLRequest {
        var base = server.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: base + call.path) else {
            preconditionFailure("a path of escaped segments behind a URL is a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = call.method.rawValue
        request.timeoutInterval = 60 + Double(call.heldSeconds)
        for (name, value) in call.fields { request.setValue(value, forHTTPHeaderField: name) }
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue("application/json, */*;q=0.5", forHTTPHeaderField: "Accept")
        }
        request.httpBody = call.body
        return request
    }
}
