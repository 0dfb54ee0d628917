// Parsing the frames of one session between client and server; pure.

/// Takes the bytes of both sides and returns the bytes that may pass.
struct DatabaseSession {
    private var fromClient: [UInt8] = []
    private var fromServer: [UInt8] = []
    /// The complete frames of the client's unfinished round, and of the server's unfinished answer.
    private var round: [UInt8] = []
    private var answer: [UInt8] = []
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    private var hasStarted = false
    private var hasAnswered = false
    private var prepared: [String: String] = [:]
    private var statement = ""
    /// The fates of the rounds that the server has not answered.
    private var fates: [DatabaseLink.Fate] = []

    /// Takes the bytes that are to be sent now.
    mutating func take() -> (server: [UInt8], client: [UInt8]) {
        defer { (toServer, toClient) = ([], []) }
        return (toServer, toClient)
    }

    /// - Returns: whether the connection breaks.
    mutating func hear(
        client bytes: ArraySlice<UInt8>, decide: (String) -> DatabaseLink.Fate
    ) -> Bool {
        fromClient += bytes
        while let frame = DatabaseSession.frame(in: &fromClient, hasType: hasStarted) {
            round += frame
            guard hasStarted else {
                hasStarted = true
                flush()
                continue
            }
            switch frame[0] {
            case UInt8(ascii: "P"):
                let words = DatabaseSession.words(frame)
                prepared[words[0]] = words[1]
                statement = DatabaseLink.preparation
            case UInt8(ascii: "B"):
                statement = prepared[DatabaseSession.words(frame)[1]] ?? ""
            case UInt8(ascii: "Q"):
                statement = DatabaseSession.words(frame)[0]
                if end(with: decide(statement)) { return true }
            case UInt8(ascii: "S"):
                if end(with: decide(statement)) { return true }
            case UInt8(ascii: "H"), UInt8(ascii: "X"), UInt8(ascii: "p"):
                flush()
            default: break
            }
        }
        return false
    }

    /// - Returns: whether the connection breaks.
    mutating func hear(
        server bytes: ArraySlice<UInt8>, fell: (DatabaseLink.Fate) -> Void
    ) -> Bool {
        fromServer += bytes
        while let frame = DatabaseSession.frame(in: &fromServer, hasType: true) {
            answer += frame
            // Until the session is ready both sides take turns.
            guard frame[0] == UInt8(ascii: "Z") || !hasAnswered else { continue }
            if frame[0] == UInt8(ascii: "Z"), hasAnswered {
                let fate = fates.isEmpty ? .pass : fates.removeFirst()
                switch fate {
                case .pass: break
                case .loseAnswer, .loseRequest:
                    fell(fate)
                    return true
                case .fallSilent, .fallSilentBehind:
                    fell(fate)
                    return false
                }
            }
            hasAnswered = hasAnswered || frame[0] == UInt8(ascii: "Z")
            toClient += answer
            answer = []
        }
        return false
    }

    private mutating func end(with fate: DatabaseLink.Fate) -> Bool {
        switch fate {
        case .loseRequest: return true
        case .fallSilent:
            round = []
            return false
        case .pass, .loseAnswer, .fallSilentBehind:
            fates.append(fate)
            flush()
            return false
        }
    }

    private mutating func flush() {
        toServer += round
        round = []
    }

    /// Takes the first complete frame out of the bytes; nil for none.
    private static func frame(in bytes: inout [UInt8], hasType: Bool) -> [UInt8]? {
        let head = hasType ? 1 : 0
        guard bytes.count >= head + 4 else { return nil }
        let length = bytes[head..<(head + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= head + length else { return nil }
        defer { bytes.removeFirst(head + length) }
        return Array(bytes.prefix(head + length))
    }

    /// The two texts at the beginning of a frame; empty for a missing one.
    private static func words(_ frame: [UInt8]) -> [String] {
        let parts = frame.dropFirst(5).split(
            separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let words = parts.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        return words + Array(repeating: "", count: max(0, 2 - words.count))
    }
}
