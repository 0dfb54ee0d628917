import Core

/// What tells one lane of the model from another.
struct ModelKey: Hashable {
    let app: Int64
    let session: Int64
    let origin: Int64
    let schedulingClass: SchedulingClass
    let rank: Int16
}
