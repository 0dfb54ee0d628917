import Downloads

/// The key of a lane in the model.
struct ModelKey: Hashable {
    let app: Int64
    let session: Int64
    let origin: Int64
    let schedulingClass: SchedulingClass
    let rank: Int16
}
