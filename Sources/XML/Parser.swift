internal import CLibXML2

/// Parsing with libxml2: checks that the document is well-formed, and resolves names.
enum Parser {
    /// Parses a document that a ``Scanner`` has accepted.
    static func tree(of text: UnsafeRawBufferPointer, textBytesMax: Int) throws(XMLFault) -> Tree {
        precondition(LibXML2.isReady, "libxml2 takes functions for memory before it has used any")
        let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
        let unmarked = UnsafeRawBufferPointer(rebasing: text.dropFirst(isMarked ? 3 : 0))
        var builder = TreeBuilder(capacity: text.count, textBytesMax: textBytesMax)
        let isRead = withUnsafeMutablePointer(to: &builder) { read(unmarked, into: $0) }
        if let (reason, offset) = builder.fault {
            throw XMLFault(reason, at: reason == .unexpectedEnd ? text.count : offset + (isMarked ? 3 : 0), of: text)
        }
        // libxml2 reports an error for every document that it refuses, unless it is out of memory.
        guard isRead, let tree = builder.tree() else { throw XMLFault(.outOfMemory, at: 0, of: text) }
        return tree
    }

    /// - Returns: whether libxml2 has read the document to its end without an error.
    private static func read(_ text: UnsafeRawBufferPointer, into builder: UnsafeMutablePointer<TreeBuilder>) -> Bool {
        var handler = SAX.handler()
        guard let context = xmlCreatePushParserCtxt(&handler, builder, nil, 0, nil) else { return false }
        defer { xmlFreeParserCtxt(context) }
        builder.pointee.context = context
        // The declared encoding has been checked. The options for recovering from errors, replacing entities, loading a
        // DTD and lifting libxml2's own limits are not set.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        guard xmlCtxtUseOptions(context, Int32(options)) == 0 else { return false }
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        return xmlParseChunk(context, start, Int32(text.count), 1) == 0
    }
}
