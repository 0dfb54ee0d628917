/// All downloads of a run that were created, and which of them wait and run.
struct Yard: Sendable {
    let world: World
    var jobs: [Job]
    /// The numbers of the downloads that were created and have not ended.
    var live: [Int] = []
    /// The numbers of the live downloads that may begin.
    var due: [Int] = []
    var running: [Int] = []
}
