// Reading of documents by libexpat.
internal import CExpat

/// Reads XML 1.0; see libexpat's reference.
///
/// Namespaces are not judged: real documents use prefixes that they do not declare.
package enum XMLReader {
    /// Reads a document from its begin to its end.
    ///
    /// Nothing but the bytes is read, and entities cannot be declared.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - limits: what it may have.
    ///   - handler: gets the parts, also those before a fault.
    /// - Throws: the first fault.
    package static func read(
        _ bytes: [UInt8], within limits: XMLLimits, to handler: some XMLHandler
    ) throws(XMLFault) {
        guard bytes.count <= limits.bytes else {
            throw XMLFault(kind: .size, message: "too many bytes", offset: limits.bytes)
        }
        guard let parser = unsafe XML_ParserCreate(limits.isUTF8 ? "UTF-8" : nil) else {
            throw XMLFault(kind: .size, message: "no memory", offset: 0)
        }
        defer { unsafe XML_ParserFree(parser) }
        let visit = unsafe Visit(handler, limits, parser)
        let status = withExtendedLifetime(visit) {
            unsafe connect(parser, to: visit)
            return unsafe bytes.withUnsafeBytes {
                unsafe XML_Parse(
                    parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32($0.count), 1)
            }
        }
        if let fault = visit.fault { throw fault }
        guard status != XML_STATUS_OK else { return }
        let message = unsafe XML_ErrorString(XML_GetErrorCode(parser))
        throw XMLFault(
            kind: .malformed, message: unsafe message.map { unsafe String(cString: $0) } ?? "",
            offset: unsafe max(0, Int(XML_GetCurrentByteIndex(parser))))
    }

    private static func connect(_ parser: XML_Parser, to visit: Visit) {
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(visit).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { data, name, attributes in unsafe Visit.of(data)?.begin(name, attributes) },
            { data, _ in unsafe Visit.of(data)?.end() })
        unsafe XML_SetCharacterDataHandler(parser) { unsafe Visit.of($0)?.text($1, $2) }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, hasDeclarations in
            unsafe Visit.of(data)?.doctype(hasDeclarations: hasDeclarations != 0)
        }
    }

    /// One reading: what libexpat's calls lead to.
    @safe private final class Visit {
        private(set) var fault: XMLFault?
        private let handler: any XMLHandler
        private let limits: XMLLimits
        private let parser: XML_Parser
        private var depth = 0
        private var count = 0

        init(_ handler: any XMLHandler, _ limits: XMLLimits, _ parser: XML_Parser) {
            self.handler = handler
            self.limits = limits
            unsafe self.parser = unsafe parser
        }

        static func of(_ data: UnsafeMutableRawPointer?) -> Visit? {
            guard let data = unsafe data else { return nil }
            return unsafe Unmanaged<Visit>.fromOpaque(data).takeUnretainedValue()
        }

        func begin(
            _ name: UnsafePointer<CChar>?,
            _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) {
            guard fault == nil, let name = unsafe name else { return }
            depth += 1
            count += 1
            if depth > limits.depth { return refuse(.depth, "too many elements in each other") }
            if count > limits.elements { return refuse(.elements, "too many elements") }
            var pairs: [(name: String, value: String)] = []
            if let attributes = unsafe attributes {
                var place = 0
                while let key = unsafe attributes[place], let value = unsafe attributes[place + 1] {
                    unsafe pairs.append((String(cString: key), String(cString: value)))
                    place += 2
                }
            }
            if !handler.begin(unsafe String(cString: name), pairs, at: offset) {
                refuse(.ended, "not of the expected kind")
            }
        }

        func end() {
            guard fault == nil else { return }
            depth -= 1
            handler.end()
        }

        func text(_ text: UnsafePointer<CChar>?, _ length: Int32) {
            guard fault == nil, handler.wantsText, let text = unsafe text else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
            handler.text(unsafe String(decoding: bytes, as: UTF8.self))
        }

        func doctype(hasDeclarations: Bool) {
            guard fault == nil, hasDeclarations || limits.doctypes == .none else { return }
            refuse(.doctype, "a document type with declarations")
        }

        /// The number of bytes before the part that is being told.
        private var offset: Int { unsafe max(0, Int(XML_GetCurrentByteIndex(parser))) }

        private func refuse(_ kind: XMLFault.Kind, _ message: String) {
            fault = XMLFault(kind: kind, message: message, offset: offset)
            unsafe XML_StopParser(parser, 0)
        }
    }
}
