// The minimum speed of a transfer while it is not paused on this side.
internal import Core

extension Transfer {
    /// Why it ends now because it brought too little for too long, or nil.
    ///
    /// Asked at every look at the deadlines; it costs the same whatever came.
    func stall(_ now: Int64) -> TransferFailure? {
        guard let rule = request.lowSpeed,
            speedFloor?.isBroken(now: now, isHeld: isHeld || isPaused) == true
        else { return nil }
        return TransferFailure(
            .stalled,
            sentence: "The server sent less than \(rule.bytesPerSecond) bytes a second over "
                + "\(DurationText.print(rule.window)).")
    }
}
