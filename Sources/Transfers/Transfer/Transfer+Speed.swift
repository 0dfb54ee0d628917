// The minimum speed of a transfer while it is not paused on this side.
internal import Base
internal import Downloads

extension Transfer {
    /// The failure if the transfer ends now because it was too slow for too long; nil if not.
    ///
    /// Called at every check of the deadlines, at a constant cost.
    func stall(_ now: Int64) -> TransferFailure? {
        guard let rule = request.lowSpeed,
            lowSpeedDetector?.isBroken(now: now, isHeld: isHeld || isPaused) == true
        else { return nil }
        let verb = isSending ? "receiver took" : "server sent"
        return TransferFailure(
            .stalled,
            sentence: "The \(verb) less than \(rule.bytesPerSecond) bytes a second over "
                + "\(DurationText.print(rule.window)).")
    }
}
