// Writes a forecast for clients.
package import Base
package import Downloads

extension ForecastOutlook {
    /// Writes the member `basis`.
    ///
    /// - Parameters:
    ///   - calibration: how wide ranges are.
    ///   - app: the app that it is told without figures of others; nil to tell all.
    ///   - writer: takes the member.
    package func writeBasis(
        _ calibration: ForecastCalibration, of app: Int64? = nil, to writer: inout JSONWriter
    ) {
        writer.key("basis")
        writer.beginObject()
        writer.member("as_of", now)
        writer.member("waiting", app.map { waiting(of: $0) } ?? waiting)
        writer.member("is_whole", isWhole)
        writer.member("seeds", seeds)
        writer.member("samples", app == nil ? samples : nil)
        writer.key("calibration")
        writer.beginObject()
        writer.key("asked")
        writer.write(ForecastCalibration.asked)
        writer.key("covered_7d")
        if app == nil, let coverage = calibration.coverage {
            writer.write(coverage)
        } else {
            writer.writeNull()
        }
        writer.endObject()
        writer.key("unknown")
        writer.beginArray()
        for name in unknownConditions { writer.write(name) }
        writer.endArray()
        writer.endObject()
    }

    /// Writes the members `begin`, `end`, `confidence` and `meets_deadline` of a download, which
    /// does not begin before the end of the blockers that hold it back.
    package func write(
        of candidate: AdmissionCandidate, heldBackBy blockers: [Blocker],
        _ calibration: ForecastCalibration, to writer: inout JSONWriter
    ) {
        let expected = expectation(of: candidate)
        let first = blockers.compactMap(\.leastUntil).reduce(candidate.runAt) { max($0, $1) }
        let earliest = Double((first - now).wholeMicroseconds) / 1e6
        let begin = expected.map { calibration.widened($0.begin, from: earliest) }
        writer.key("begin")
        if let begin {
            writer.beginObject()
            writer.member("p10", max(first, instant(begin.p10)))
            writer.member("p50", max(first, instant(begin.p50)))
            writer.member("p90", max(first, instant(begin.p90)))
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.key("end")
        if let expected {
            writer.beginObject()
            let end = max(expected.end, begin?.p50 ?? 0)
            writer.member("p50", max(first, instant(end)))
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.member("confidence", expected.map { calibration.confidence(of: $0.begin) })
        writer.key("meets_deadline")
        if let share = expected?.meetsDeadline {
            writer.write(share)
        } else {
            writer.writeNull()
        }
    }

    /// Writes the member `hours`: the given hours, of an app or of all apps.
    package static func write(hours: [Hour], to writer: inout JSONWriter) {
        writer.key("hours")
        writer.beginArray()
        for hour in hours {
            writer.beginObject()
            writer.member("from", hour.from)
            writer.key("bytes")
            writer.beginObject()
            writer.member("p10", ForecastOutlook.whole(hour.bytes.p10))
            writer.member("p50", ForecastOutlook.whole(hour.bytes.p50))
            writer.member("p90", ForecastOutlook.whole(hour.bytes.p90))
            writer.endObject()
            writer.key("running")
            writer.beginObject()
            writer.key("p50")
            writer.write((hour.running * 10).rounded() / 10)
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
    }

    /// Writes the members `expected` and `place` of an explanation.
    package func writeExpected(
        of candidate: AdmissionCandidate, heldBackBy blockers: [Blocker],
        _ calibration: ForecastCalibration, hidesOthers: Bool, to writer: inout JSONWriter
    ) {
        let expected = expectation(of: candidate)
        writer.key("expected")
        if expected != nil {
            writer.beginObject()
            write(of: candidate, heldBackBy: blockers, calibration, to: &writer)
            writer.endObject()
        } else {
            writer.writeNull()
        }
        writer.key("place")
        guard expected != nil, let place = place(of: candidate) else {
            return writer.writeNull()
        }
        writer.beginObject()
        writer.member("class", candidate.schedulingClass.word)
        let others = max(0, place.all - place.own)
        writer.member("before", place.own)
        writer.member(
            "others_before", hidesOthers ? OneDigit.of(Int64(others)) : Int64(others))
        writer.member("is_estimate", true)
        writer.endObject()
    }

    /// An instant of a forecast, rounded up to a whole second: an opening at that second must not
    /// lie in the past of it, and single precision is no finer.
    private func instant(_ seconds: Double) -> Timestamp {
        guard seconds > 0 else { return now }
        let second: Int64 = 1_000_000
        let micros = now.microseconds + Int64(min(seconds, 1e9) * 1e6)
        return Timestamp(microseconds: (micros + second - 1) / second * second)
    }

    private static func whole(_ value: Double) -> Int64 { Int64(min(max(0, value), 9e18)) }
}
