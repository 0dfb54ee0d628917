// Sends a body from its source, and judges what an answer says about it.
internal import CCurl
internal import Downloads
internal import Platform
internal import Scheduling

extension Transfer {
    /// The answer of a source to libcurl.
    enum Supply {
        /// This number of bytes was read.
        case bytes(Int)
        /// Nothing is read until the transfer is unpaused.
        case pause
        /// No more bytes are sent.
        case end
        /// The hop fails.
        case abort
    }

    /// Reads the next bytes of the body into libcurl's room, as many as the rate allows.
    func supply(_ room: UnsafeMutableRawBufferPointer) -> Supply {
        if id.isCancelled { cancel() }
        guard ending == nil, let source = hop.source else { return .abort }
        if sending.isOver || sending.taken == source.length { return .end }
        let now = SystemClock.bootNanoseconds()
        lastByteAt = now
        beginSending(now)
        var most = Int(min(Int64(room.count), source.length - sending.taken))
        if let pacing {
            guard credit > 0 || pacing.mayMove(self, now: now) else {
                isHeld = true
                meter.pause()
                return .pause
            }
            most = Int(min(Int64(most), credit))
        }
        switch unsafe source.read(UnsafeMutableRawBufferPointer(rebasing: room[..<most])) {
        case .bytes(let count):
            precondition(count >= 1 && count <= most, "a source fills the room that it was given")
            sending.taken += Int64(count)
            gauges.count(sent: count)
            meter.count(count, at: now)
            if pacing != nil { credit -= Int64(count) }
            return .bytes(count)
        case .pause:
            isPaused = true
            meter.pause()
            return .pause
        case .abort(let reason):
            end(.refused(reason: reason))
            return .abort
        }
    }

    private func beginSending(_ now: Int64) {
        guard sending.acknowledged == nil else { return }
        sending.acknowledged = easy?.sentBytes?.acknowledged ?? 0
        lowSpeedDetector?.begin(now: now)
        lowSpeedDetector?.countHead()
    }

    /// Makes the first byte of the body the next one, before a request is sent.
    ///
    /// libcurl sends a request again after a kept connection was found dead, and asks for that only
    /// if it has written bytes, not if it has merely read some.
    ///
    /// - Returns: false if the body cannot be sent again; then the transfer has failed.
    func rewind() -> Bool {
        guard let source = hop.source else { return true }
        guard sending.taken > 0 else {
            sending = Sending()
            return true
        }
        guard request.isRepeatable else {
            fail(.networkConnectionLost, detail: "the body may not be sent a second time")
            return false
        }
        guard source.rewind() else {
            fail(.engineFailed("the body cannot be read a second time"))
            return false
        }
        sending = Sending()
        return true
    }

    /// Whether the request may be sent once more.
    var maySendAgain: Bool { hop.source == nil || sending.taken == 0 || request.isRepeatable }

    // MARK: - Answers

    /// Judges the body when the final head is complete.
    ///
    /// An error stops the sending, and so does any answer in place of the consent. After another
    /// success it goes on until the answer is complete; without a length that would be the end of
    /// the connection, so then it stops, too.
    ///
    /// - Returns: false if the hop ends with this head.
    func judgeHead() -> Bool {
        guard hop.source != nil else { return true }
        lowSpeedDetector?.begin(now: lastByteAt)
        lowSpeedDetector?.countHead()
        sending.isWhole = isAllReceived
        guard !sending.isWhole else { return true }
        // libcurl would send the request again by itself, with what is left of the body.
        if hop.expectsContinue, parser.status == 417 { return false }
        guard !isAnswerWhole else {
            sending.isOver = true
            return false
        }
        let isConsentRefused = hop.expectsContinue && sending.taken == 0
        guard parser.status >= 300 || !isDelimited || isConsentRefused else { return true }
        sending.isOver = true
        guard isPaused || isHeld else { return true }
        // libcurl would wait for the rest of the body behind the end of the answer.
        (isPaused, isHeld) = (false, false)
        _ = easy?.unpause()
        return true
    }

    /// Judges the body when a piece of the answer was taken.
    ///
    /// - Returns: false if the hop ends here, because the answer is complete and the rest of the
    ///   body would be for nobody.
    func judgeAnswer() -> Bool {
        guard hop.source != nil, !sending.isWhole, isAnswerWhole else { return true }
        sending.isWhole = isAllReceived
        sending.isOver = true
        return sending.isWhole
    }

    /// Whether the other side's machine has all bytes of the body: an answer to the last one
    /// acknowledges it.
    private var isAllReceived: Bool {
        guard let source = hop.source else { return true }
        guard sending.taken == source.length else { return false }
        guard source.length > 0, let easy else { return true }
        return easy.uploadedBytes >= source.length && easy.sentBytes?.outstanding ?? 0 == 0
    }

    /// Whether an answer counts although the connection was lost: that of a receiver which does not
    /// read the body to its end and closes the connection.
    func hasAnswer(despite code: CURLcode) -> Bool {
        guard hop.source != nil, result.head != nil else { return false }
        return [
            CURLE_OK, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_WRITE_ERROR,
            CURLE_READ_ERROR,
        ].contains(code)
    }

    /// Whether the request is sent once more on a new connection: the kept one was dead, and
    /// libcurl, which noticed while it sent the body, does not try again by itself.
    func wasDead(_ easy: EasyHandle, _ code: CURLcode, connections: Int) -> Bool {
        ending == nil && code == CURLE_SEND_ERROR && hop.source != nil && request.isRepeatable
            && connections == 0 && easy.received == 0 && !needsFreshConnection
    }

    // MARK: - Silence

    /// Counts what the other side's machine has acknowledged since the last look as life; called
    /// when the transfer is about to be judged.
    ///
    /// Bytes that libcurl has written may wait in this machine for a long time.
    func noteSending(now: Int64) {
        guard let source = hop.source, let last = sending.acknowledged, phase == .firstByte,
            let easy, let sent = easy.sentBytes
        else { return }
        if sent.acknowledged > last {
            sending.acknowledged = sent.acknowledged
            lastByteAt = now
            lowSpeedDetector?.count(Int(clamping: sent.acknowledged - last))
        }
        // The wait for an answer, or for one behind an interim one, is silence and not low speed.
        if parser.expectsStatus, sending.taken == source.length, sent.outstanding == 0,
            easy.uploadedBytes >= source.length
        {
            lowSpeedDetector?.end()
        }
    }

    /// Counts a line of a head for the least speed; while the body is sent, its bytes count.
    func countLine() {
        guard let source = hop.source else { return lowSpeedDetector?.countHead() ?? () }
        guard sending.taken == source.length else { return }
        if lowSpeedDetector?.until == .max { lowSpeedDetector?.begin(now: lastByteAt) }
        lowSpeedDetector?.countHead()
    }

    /// Whether a part of the body is not sent yet.
    var isSending: Bool {
        guard let source = hop.source, phase == .firstByte else { return false }
        return sending.acknowledged != nil
            && (sending.taken < source.length || easy?.sentBytes?.outstanding ?? 0 > 0)
    }

    // MARK: - The rest of an answer

    /// Whether bytes that libcurl has not read can be understood: it keeps the beginning of a line
    /// to itself.
    var understandsRest: Bool {
        hop.source != nil && ending == nil && (parser.isComplete || parser.expectsStatus)
    }

    /// Takes the bytes of an answer that libcurl has not read.
    ///
    /// - Parameter bytes: everything that is there, from the end of what libcurl has read on.
    func receive(rest bytes: [UInt8]) {
        guard parser.isComplete || bytes.starts(with: "HTTP/1.".utf8) else { return }
        var rest = bytes[...]
        while !parser.isComplete {
            guard let end = rest.firstIndex(of: 0x0a) else { return }
            let isTaken = unsafe rest[...end].withUnsafeBytes { unsafe receive(header: $0) }
            guard isTaken else { return }
            rest = rest[(end + 1)...]
        }
        let left = contentLeft
        if let left { rest = rest.prefix(Int(clamping: left)) }
        guard !rest.isEmpty else { return }
        _ = unsafe rest.withUnsafeBytes { unsafe receive($0) }
    }
}
