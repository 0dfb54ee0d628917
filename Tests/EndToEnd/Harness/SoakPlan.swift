// The files of the soak: equal numbers give an equal plan, so that a failure can be run again.
import Foundation

/// The files of one soak and the options of each download.
struct SoakPlan: Sendable {
    /// One file: its length and the conditions of its download.
    struct File: Sendable {
        let name: String
        let length: Int
        let hasDigest: Bool
        /// Seconds from the submission to the earliest-begin date.
        let delay: Int?
        let isDiscretionary: Bool
    }

    let files: [File]
    /// The number of times that the origin is cut and the program killed.
    let rounds: Int
    let originBytesPerSecond: Int

    /// The short plan, which every run of the tests makes.
    static let short = SoakPlan(
        count: 40, largest: 20 << 20, rounds: 1, originBytesPerSecond: 2 << 20)

    /// The full plan: 200 files up to 200 MiB, three cuts and three kills.
    static let full = SoakPlan(
        count: 200, largest: 200 << 20, rounds: 3, originBytesPerSecond: 4 << 20)

    init(count: Int, largest: Int, rounds: Int, originBytesPerSecond: Int) {
        self.rounds = rounds
        self.originBytesPerSecond = originBytesPerSecond
        files = (0..<count).map { index in
            // Lengths grow geometrically from 1 KiB; the stride mixes small and large ones.
            let rank = Double(index * 37 % count) / Double(count - 1)
            let length = 1_024 * pow(Double(largest) / 1_024, rank)
            return File(
                name: "file-\(index).bin", length: Int(length.rounded()),
                hasDigest: index % 4 == 0, delay: index % 5 == 1 ? 5 + index % 10 : nil,
                isDiscretionary: index % 7 == 2)
        }
    }
}
