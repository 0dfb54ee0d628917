// libFuzzer's entry for Content-Range: scripts/fuzz compiles it together with Core.

/// The range that was read lies within the whole, and its text reads back as that range.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzContentRange(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let range = ContentRange(String(decoding: input, as: UTF8.self)) else { return 0 }
    precondition(range.bytes != nil || range.total != nil, "it says something")
    let total = range.total.map { "\($0)" } ?? "*"
    var part = "*"
    if let bytes = range.bytes {
        precondition(bytes.lowerBound >= 0 && bytes.upperBound < range.total ?? .max, "within")
        part = "\(bytes.lowerBound)-\(bytes.upperBound)"
    }
    precondition(ContentRange("bytes \(part)/\(total)") == range, "written and read")
    return 0
}
