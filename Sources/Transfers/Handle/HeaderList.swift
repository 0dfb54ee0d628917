// Lists of lines in libcurl's form.
internal import Base
internal import CCurl

/// Owner of a `curl_slist`; must outlive the transfers that use it.
@safe final class HeaderList {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    /// Copies the lines.
    init(_ lines: [FieldValue]) {
        for line in lines {
            let longer = unsafe line.withCString { unsafe curl_slist_append(raw, $0) }
            precondition(unsafe longer != nil, "out of memory")
            unsafe raw = unsafe longer
        }
    }

    deinit { unsafe curl_slist_free_all(raw) }
}
