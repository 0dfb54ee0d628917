// Log fields that lead from an attempt to the request and the trace of its create.
internal import Base
internal import Downloads
internal import Platform

extension Shared<DownloadSpec> {
    /// `request_id` and `trace_id`, if known.
    var traceFields: [(String, LogValue)] {
        var fields: [(String, LogValue)] = []
        addTrace(to: &fields)
        return fields
    }

    /// Adds these fields to others.
    func addTrace(to fields: inout [(String, LogValue)]) {
        if let requestID = value.requestID {
            fields.append(("request_id", .string(requestID)))
        }
        if let traceparent = value.traceparent {
            fields.append(("trace_id", .string(TraceParent.traceID(of: traceparent))))
        }
    }
}
