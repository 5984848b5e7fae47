internal import CLibXML2

/// libxml2's part: whether the text is well-formed, and what each name means.
enum Parser {
    /// Reads a text that a ``Scanner`` has passed.
    static func tree(of text: UnsafeRawBufferPointer, textBytesMax: Int) throws(XMLFault) -> Tree {
        precondition(LibXML2.isReady, "libxml2 takes functions for memory before it has used any")
        let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF])
        let unmarked = UnsafeRawBufferPointer(rebasing: text.dropFirst(isMarked ? 3 : 0))
        var builder = TreeBuilder(capacity: text.count, textBytesMax: textBytesMax)
        let isRead = withUnsafeMutablePointer(to: &builder) { read(unmarked, into: $0) }
        if let (reason, offset) = builder.fault {
            throw XMLFault(reason, at: reason == .unexpectedEnd ? text.count : offset + (isMarked ? 3 : 0), of: text)
        }
        // libxml2 names what is wrong with every text that it refuses, short of memory.
        guard isRead, let tree = builder.tree() else { throw XMLFault(.outOfMemory, at: 0, of: text) }
        return tree
    }

    /// - Returns: whether libxml2 has read the text to its end and found nothing wrong.
    private static func read(_ text: UnsafeRawBufferPointer, into builder: UnsafeMutablePointer<TreeBuilder>) -> Bool {
        var handler = SAX.handler()
        guard let context = xmlCreatePushParserCtxt(&handler, builder, nil, 0, nil) else { return false }
        defer { xmlFreeParserCtxt(context) }
        builder.pointee.context = context
        // What the declaration says of the encoding has been checked. Nothing here recovers from errors, replaces entities,
        // loads a DTD or lifts libxml2's own limits, because none of that is asked for.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        guard xmlCtxtUseOptions(context, Int32(options)) == 0 else { return false }
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        return xmlParseChunk(context, start, Int32(text.count), 1) == 0
    }
}
