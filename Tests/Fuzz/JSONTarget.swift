// libFuzzer's entry for Lull's JSON: scripts/fuzz compiles it together with Core.

/// A value that was read can be written, and its text reads back as that value.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let value: JSON
    do throws(JSONError) {
        value = try JSON.parse(input)
    } catch {
        precondition(error.line >= 1 && error.column >= 1, "an error has a place")
        return 0
    }
    let text = value.text
    precondition(!text.utf8.contains(0x0a), "a line end would split a server-sent event")
    do throws(JSONError) {
        let again = try JSON.parse(Array(text.utf8))
        precondition(again.text == text, "written and read twice")
    } catch {
        preconditionFailure("what we write we can read: \(error)")
    }
    return 0
}
