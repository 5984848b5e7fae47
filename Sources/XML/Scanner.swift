internal import Glibc

/// The first pass over a document, before libxml2: checks every character, the declaration and the limits, and refuses
/// constructs that libxml2 would accept.
///
/// It finds the boundaries of tags, comments and CDATA sections, and leaves their content to libxml2. In a well-formed
/// document both find the same tags. In any other document, libxml2 stops at the first malformed tag.
struct Scanner {
    let text: UnsafeRawBufferPointer
    private let limits: XMLLimits
    var position = 0
    private var depth = 0
    private var elementCount = 0
    private var namespaceCount = 0

    init(_ text: UnsafeRawBufferPointer, limits: XMLLimits) {
        self.text = text
        self.limits = limits
    }

    mutating func scan() throws(XMLFault) {
        guard text.count <= limits.bytesMax else { throw fault(.tooLarge, at: limits.bytesMax) }
        guard !hasForeignStart else { throw fault(.unsupportedEncoding, at: 0) }
        try CharacterCheck(text).check()
        if starts(with: "\u{FEFF}") { position += 3 }
        try scanDeclaration()
        while true {
            skipText()
            guard position < text.count else { break }
            // Outside the root, only white space is allowed between comments and the root's tags.
            guard text[position] == UInt8(ascii: "<") else {
                throw fault(elementCount == 0 ? .malformed : .textAfterEnd, at: position)
            }
            try scanMarkup()
        }
        guard elementCount > 0, depth == 0 else { throw fault(.unexpectedEnd, at: text.count) }
    }

    /// Skips to the next tag, comment or section, or to the end; outside the root, to the first character that is not
    /// white space.
    private mutating func skipText() {
        if depth > 0 {
            while position < text.count, text[position] != UInt8(ascii: "<") { position += 1 }
        } else {
            skipSpace()
        }
    }

    /// Skips the markup that begins with the `<` at `position`.
    private mutating func scanMarkup() throws(XMLFault) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "!"):
            if starts(with: "<!--") { return try skip(behind: "-->", from: position + 4) }
            if starts(with: "<![CDATA["), depth > 0 { return try skip(behind: "]]>", from: position + 9) }
            guard !starts(with: "<!DOCTYPE") else { throw fault(.documentType, at: position) }
            throw isCutShort(among: ["<!--", "<![CDATA[", "<!DOCTYPE"])
                ? fault(.unexpectedEnd, at: text.count) : fault(.malformed, at: position)
        case UInt8(ascii: "?"):
            throw fault(.processingInstruction, at: position)
        case UInt8(ascii: "/"):
            guard depth > 0 else { throw fault(elementCount == 0 ? .malformed : .textAfterEnd, at: position) }
            depth -= 1
            position += 2
            try skipName()
            skipSpace()
            try expect { $0 == UInt8(ascii: ">") }
        default:
            try scanStartTag()
        }
    }

    /// Skips the start tag whose `<` is at `position`.
    private mutating func scanStartTag() throws(XMLFault) {
        guard depth > 0 || elementCount == 0 else { throw fault(.textAfterEnd, at: position) }
        elementCount += 1
        guard elementCount <= limits.elementsMax else { throw fault(.tooManyElements, at: position) }
        guard depth < limits.depthMax else { throw fault(.tooDeep, at: position) }
        position += 1
        try skipName()
        var attributeCount = 0
        while true {
            skipSpace()
            switch byte(at: position) {
            case nil:
                throw fault(.unexpectedEnd, at: position)
            case UInt8(ascii: ">"):
                position += 1
                depth += 1
                return
            case UInt8(ascii: "/"):
                guard let next = byte(at: position + 1) else { throw fault(.unexpectedEnd, at: text.count) }
                guard next == UInt8(ascii: ">") else { throw fault(.malformed, at: position) }
                position += 2
                return
            default:
                attributeCount += 1
                guard attributeCount <= limits.attributesMax else { throw fault(.tooManyAttributes, at: position) }
                try scanAttribute()
            }
        }
    }

    /// Skips the attribute whose name begins at `position` (XML 1.0 §3.1).
    private mutating func scanAttribute() throws(XMLFault) {
        if starts(with: "xmlns") {
            namespaceCount += 1
            guard namespaceCount <= limits.namespacesMax else { throw fault(.tooManyNamespaces, at: position) }
        }
        try skipName()
        skipSpace()
        try expect { $0 == UInt8(ascii: "=") }
        skipSpace()
        let quote = byte(at: position)
        try expect { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let start = position
        while true {
            guard let byte = byte(at: position) else { throw fault(.unexpectedEnd, at: position) }
            guard byte != UInt8(ascii: "<") else { throw fault(.malformed, at: position) }
            position += 1
            if byte == quote { return }
            guard position - start <= limits.attributeBytesMax else { throw fault(.attributeTooLong, at: position - 1) }
        }
    }

    /// Skips a name, which ends at white space or at a character that no name contains. libxml2 checks the characters
    /// in it.
    private mutating func skipName() throws(XMLFault) {
        let start = position
        while let byte = byte(at: position), !byte.endsName {
            position += 1
            guard position - start <= limits.nameBytesMax else { throw fault(.nameTooLong, at: position - 1) }
        }
        guard position > start else { throw fault(position < text.count ? .malformed : .unexpectedEnd, at: position) }
    }
}

extension Scanner {
    func fault(_ reason: XMLFault.Reason, at offset: Int) -> XMLFault {
        XMLFault(reason, at: offset, of: text)
    }

    func byte(at offset: Int) -> UInt8? {
        offset < text.count ? text[offset] : nil
    }

    /// Whether the literal comes next.
    func starts(with literal: StaticString) -> Bool {
        guard literal.utf8CodeUnitCount <= text.count - position, let start = text.baseAddress else { return false }
        return memcmp(start + position, literal.utf8Start, literal.utf8CodeUnitCount) == 0
    }

    mutating func skipSpace() {
        while let byte = byte(at: position), byte.isXMLSpace { position += 1 }
    }

    mutating func expect(_ isExpected: (UInt8) -> Bool) throws(XMLFault) {
        guard let byte = byte(at: position) else { throw fault(.unexpectedEnd, at: position) }
        guard isExpected(byte) else { throw fault(.malformed, at: position) }
        position += 1
    }

    /// Skips to the end of the next `literal`, which ends with `>`, at or after `start`.
    mutating func skip(behind literal: StaticString, from start: Int) throws(XMLFault) {
        var end = start
        while let base = text.baseAddress, end < text.count,
            let mark = memchr(base + end, Int32(UInt8(ascii: ">")), text.count - end)
        {
            end = UnsafeRawPointer(mark) - base + 1
            let count = literal.utf8CodeUnitCount
            if end - start >= count, memcmp(base + end - count, literal.utf8Start, count) == 0 {
                position = end
                return
            }
        }
        throw fault(.unexpectedEnd, at: text.count)
    }

    /// Whether the document ends within one of the literals.
    private func isCutShort(among literals: [String]) -> Bool {
        let rest = text.dropFirst(position)
        return literals.contains { rest.count < $0.utf8.count && $0.utf8.starts(with: rest) }
    }
}

extension UInt8 {
    fileprivate var endsName: Bool {
        switch self {
        case UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: isXMLSpace
        }
    }
}
