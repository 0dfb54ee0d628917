// The figures that a soak prints.
import Foundation

/// The numbers of one soak.
struct SoakFigures {
    private let files: Int
    private let bytes: Int
    private var attempts = 0
    private var continued = 0
    private var restarted = 0
    private var bytesDiscarded = 0
    /// The number of downloads that ran at each cut of the origin.
    var runningAtCuts: [Int] = []
    /// The number of downloads that ran at each kill of the program.
    var runningAtKills: [Int] = []
    /// Webhooks that arrived, repeats included.
    var deliveries = 0

    init(_ plan: SoakPlan) {
        files = plan.files.count
        bytes = plan.files.reduce(0) { $0 + $1.length }
    }

    /// Counts the end of one download.
    mutating func count(_ download: LullClient.Download) {
        attempts += download.attempt
        guard let resume = download.resume else { return }
        if resume.outcome == "continued" { continued += 1 } else { restarted += 1 }
        bytesDiscarded += resume.bytesDiscarded
    }

    /// Prints the figures on standard error.
    func tell() {
        let text = """
            soak: \(files) files, \(bytes) bytes; running at cuts \(runningAtCuts), at kills \
            \(runningAtKills); \(attempts) attempts, ended by a continued one \(continued), by a \
            restarted one \(restarted), \(bytesDiscarded) bytes thrown away; \(deliveries) webhooks

            """
        FileHandle.standardError.write(Data(text.utf8))
    }
}
