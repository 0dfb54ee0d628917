import Base
import Downloads

/// The contents of a world, from its seed.
struct Plan {
    let replicas: Int
    let slots: Int
    let limits: ModelStore.Limits
    let downloads: [ModelRow]
    /// The length of each download's attempt.
    let lengths: [Identifier: Duration]
    /// Origins that ask for a pause until long after the faults.
    let cooled: Set<Int64>
    /// The probability that a request or an answer is lost.
    let loss: Double
    /// The probability of trouble for each replica in each minute.
    let trouble: Double
    /// The probability that a volume breaks or fills up in a minute.
    let diskTrouble: Double
    /// The size of each replica's volume in bytes.
    let volumes: [Int64]

    init(_ random: inout SeededRandom, from start: Timestamp) {
        replicas = Int.random(in: 1...3, using: &random)
        slots = Int.random(in: 1...6, using: &random)
        limits = ModelStore.Limits(
            deployment: Int.random(in: 1...10, using: &random),
            origin: Int.random(in: 1...4, using: &random),
            session: Int.random(in: 1...6, using: &random),
            app: Int.random(in: 1...6, using: &random))
        loss = [0, 0, 0.01, 0.05, 0.2].randomElement(using: &random) ?? 0
        trouble = [0, 0.1, 0.5].randomElement(using: &random) ?? 0
        diskTrouble = [0, 0, 0.2, 0.5].randomElement(using: &random) ?? 0
        let apps = Int64.random(in: 1...4, using: &random)
        let origins = Int64.random(in: 1...12, using: &random)
        cooled = Set((1...origins).filter { _ in random.isOne(0.1) })
        // Few lanes with many downloads, or many with few.
        let sessions = Int64.random(in: 0...2, using: &random)
        let ranks = Int16.random(in: 0...3, using: &random)
        var downloads: [ModelRow] = []
        var lengths: [Identifier: Duration] = [:]
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let created = start + random.span(0...300_000_000)
            let app = Int64.random(in: 1...apps, using: &random)
            let key = ModelKey(
                app: app, session: 10 * app + Int64.random(in: 0...sessions, using: &random),
                origin: Int64.random(in: 1...origins, using: &random),
                schedulingClass: Bool.random(using: &random) ? .normal : .discretionary,
                rank: Int16.random(in: 0...ranks, using: &random))
            let isLater = random.isOne(0.3)
            let row = ModelRow(
                id: Identifier(at: created, using: &random), key: key,
                bytes: Bool.random(using: &random)
                    ? 0 : Int64.random(in: 1...1 << 30, using: &random),
                runAt: isLater ? created + random.span(0...200_000_000) : created,
                failuresLeft: random.isOne(0.2) ? Int.random(in: 1...3, using: &random) : 0)
            downloads.append(row)
            lengths[row.id] = random.span(10_000...(random.isOne(0.1) ? 300_000_000 : 20_000_000))
        }
        let largest = downloads.map(\.bytes).max() ?? 0
        volumes = (0..<replicas).map { _ in
            // Room for all downloads, or for a few at once.
            let share = Double.random(in: 1.05...4, using: &random)
            return random.isOne(0.5) ? 1 << 50 : max(1000, Int64(Double(largest) * share))
        }
        self.downloads = downloads
        self.lengths = lengths
    }
}
