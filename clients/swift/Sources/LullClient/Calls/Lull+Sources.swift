// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

extension Lull {
    /// The next looks of a schedule.
    ///
    /// Answers the next 20 instants at which a source with this schedule would be looked at.
    /// Nothing is created. An interval counts from `after`.
    @discardableResult
    public func trySchedule(_ body: ScheduleQuestion) async throws(LullError) -> ScheduleTrial {
        var call = Call(
            .post, ["v1", "sources", "try"], operation: "trySchedule", mayRepeat: true)
        try call.body(body, type: "application/json")
        return try await self.value(call)
    }
}
