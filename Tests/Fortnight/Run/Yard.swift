/// All downloads of a run that were created, and which of them wait and run.
struct Yard: Sendable {
    let world: World
    var jobs: [Job]
    /// Created and not ended, by number.
    var live: [Int] = []
    /// Those of them that may begin now.
    var due: [Int] = []
    var running: [Int] = []
}
