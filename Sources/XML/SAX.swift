internal import CLibXML2

/// The callbacks of libxml2's parser.
enum SAX {
    /// The handlers for all events that add to a tree or refuse a document. None of them builds libxml2's own document.
    static func handler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { builder, name, _, namespace, _, _, attributeCount, _, attributes in
            guard let builder = TreeBuilder.at(builder), let name else { return }
            builder.pointee.begin(
                name, namespace: namespace,
                attributes: UnsafeMutableBufferPointer(start: attributes, count: Int(attributeCount) * 5))
        }
        handler.endElementNs = { builder, _, _, _ in TreeBuilder.at(builder)?.pointee.end() }
        handler.characters = { builder, text, count in TreeBuilder.at(builder)?.pointee.append(text, Int(count)) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        // Called before any declaration in the DTD is read. The scanner refuses such documents before this. libxml2
        // itself would continue and report the document as well-formed.
        handler.internalSubset = { builder, _, _, _ in
            TreeBuilder.at(builder)?.pointee.refuse(.documentType)
            xmlStopParser(TreeBuilder.at(builder)?.pointee.context)
        }
        // Called for a reference that is not replaced.
        handler.reference = { builder, _ in TreeBuilder.at(builder)?.pointee.refuse(.undeclaredEntity) }
        handler.processingInstruction = { builder, _, _ in
            TreeBuilder.at(builder)?.pointee.refuse(.processingInstruction)
        }
        // Without this handler, libxml2 would write to standard error.
        handler.serror = { builder, error in
            guard let error, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
            TreeBuilder.at(builder)?.pointee.refuse(XMLFault.Reason(code: UInt32(bitPattern: error.pointee.code)))
        }
        return handler
    }
}

extension XMLFault.Reason {
    /// The reason for one of libxml2's error codes.
    fileprivate init(code: UInt32) {
        switch xmlParserErrors(rawValue: code) {
        case XML_ERR_DOCUMENT_EMPTY, XML_ERR_TAG_NOT_FINISHED: self = .unexpectedEnd
        case XML_ERR_TAG_NAME_MISMATCH: self = .mismatchedTag
        case XML_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_ATTRIBUTE_REDEFINED: self = .repeatedAttribute
        case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY: self = .undeclaredEntity
        case XML_NS_ERR_UNDEFINED_NAMESPACE: self = .undeclaredPrefix
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: self = .invalidCharacter
        case XML_ERR_NO_MEMORY: self = .outOfMemory
        default: self = .malformed
        }
    }
}
