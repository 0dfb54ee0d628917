// Placed files, which other programs can write to, because they have a second name in a folder of
// the operator's.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension ContentEndpoints {
    static let changed = Problem(
        .contentChanged,
        "The file was edited in the folder into which it was placed, and the service has no copy "
            + "of its own. POST to /retry of the download to fetch it again. To keep a copy in the "
            + "service, the operator adds \";copy\" to the folder in LULL_DESTINATIONS.")

    /// Refuses a placed file whose bytes differ from the proved ones.
    ///
    /// The open file that is served is judged: by its facts if they are unchanged, by its digest if
    /// not, once for each state.
    ///
    /// - Throws: `content-changed`; `content-unavailable` while the file is written or read.
    func expectUnchanged(
        _ id: Identifier, fence: Int64, _ known: DownloadContent, _ file: FileRegion, _ call: Call
    ) async throws(Problem) {
        guard known.destination != nil, let now = content.facts(file), now != known.file else {
            return
        }
        guard now != known.changed else { throw ContentEndpoints.changed }
        let (contents, changed, report) = (
            reader.downloads.contents, content.changed, call.report
        )
        let verdict = await checks.verdict(on: id, file, now, digest: known.sha256) { verdict in
            guard verdict != .unsettled else { return }
            if verdict == .changed {
                changed()
                report("a placed file was edited: \(id.text)")
            }
            do throws(StoreError) {
                try await contents.note(
                    now, of: id, fence: fence, isChanged: verdict == .changed)
            } catch {
                // The next reader makes the file be digested again.
                report("the check of a placed file could not be recorded: \(error)")
            }
        }
        // The open file is compared again, because a program may have written to it since it was
        // digested.
        let isSettled = content.facts(file) == now
        switch verdict {
        case .same where isSettled: return
        case .changed: throw ContentEndpoints.changed
        case .same, .unsettled, nil:
            throw ContentEndpoints.away(
                "The file was written to in the folder into which it was placed, and its digest is "
                    + "being checked.")
        }
    }
}
