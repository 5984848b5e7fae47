internal import Values

/// The signed attributes of a CMS signature (RFC 5652 §11), looked up by object identifier and never by position.
struct SignedAttributes {
    /// The range of the content's SHA-256 digest, 32 bytes (§11.2).
    let messageDigestRange: Range<Int>
    /// The signing time that the signer claims (§11.3).
    let signingTime: Instant

    /// Reads the attributes of a SET. Unknown attributes are ignored: they are signed, and tokens since 2017 include
    /// CMSAlgorithmProtection (RFC 6211).
    init(_ attributes: BERReader) throws(CMSFault) {
        var attributes = attributes
        var found = Found()
        while !attributes.isAtEnd {
            var attribute = try attributes.inside(BERTag.sequence)
            let identifier = attribute.bytes[try attribute.next(BERTag.objectIdentifier).content]
            let values = try attribute.inside(BERTag.set)
            try attribute.finish()
            try found.note(identifier, values)
        }

        var contentType = try Self.single(found.contentType)
        guard
            contentType.bytes[try contentType.next(BERTag.objectIdentifier).content]
                .elementsEqual(ObjectIdentifier.data)
        else { throw .contentType }
        try contentType.finish()

        var digest = try Self.single(found.messageDigest)
        messageDigestRange = try digest.next(BERTag.octetString).content
        guard messageDigestRange.count == 32 else { throw .attribute }
        try digest.finish()

        var time = try Self.single(found.signingTime)
        let element = try time.next()
        guard let instant = Instant(asn1: time.bytes[element.content], tag: element.tag) else {
            throw .signingTime
        }
        signingTime = instant
        try time.finish()
    }

    /// The values of the required attributes, and the identifiers of the others.
    private struct Found {
        var contentType: BERReader?
        var messageDigest: BERReader?
        var signingTime: BERReader?
        private var others: [ArraySlice<UInt8>] = []

        /// Records an attribute's values. No attribute may be repeated (RFC 5652 §5.3), and at most sixteen are
        /// allowed.
        mutating func note(_ identifier: ArraySlice<UInt8>, _ values: BERReader) throws(CMSFault) {
            if identifier.elementsEqual(ObjectIdentifier.contentType) {
                try Self.set(&contentType, values)
            } else if identifier.elementsEqual(ObjectIdentifier.messageDigest) {
                try Self.set(&messageDigest, values)
            } else if identifier.elementsEqual(ObjectIdentifier.signingTime) {
                try Self.set(&signingTime, values)
            } else {
                guard !others.contains(where: { $0.elementsEqual(identifier) }) else { throw .attributeRepeated }
                guard others.count < 13 else { throw .attribute }
                others.append(identifier)
            }
        }

        private static func set(_ place: inout BERReader?, _ values: BERReader) throws(CMSFault) {
            guard place == nil else { throw .attributeRepeated }
            place = values
        }
    }

    /// The value of an attribute that must be present and have one value.
    private static func single(_ values: BERReader?) throws(CMSFault) -> BERReader {
        guard let values else { throw .attributeMissing }
        var counting = values
        _ = try counting.next()
        guard counting.isAtEnd else { throw .attributeWithSeveralValues }
        return values
    }
}

extension Instant {
    /// Parses the UTCTime or GeneralizedTime of a signing time: `YYMMDDhhmmssZ` for 1950…2049, `YYYYMMDDhhmmssZ`
    /// outside of it. RFC 5652 §11.3 requires the seconds and the `Z`.
    init?(asn1 text: ArraySlice<UInt8>, tag: UInt8) {
        let yearDigits = tag == BERTag.utcTime ? 2 : 4
        guard tag == BERTag.utcTime || tag == BERTag.generalizedTime, text.count == yearDigits + 11,
            text.last == UInt8(ascii: "Z")
        else { return nil }
        var numbers: [Int] = []
        for byte in text.dropLast() {
            guard byte.isDigit else { return nil }
            numbers.append(byte.digit)
        }
        var year = numbers.prefix(yearDigits).reduce(0) { $0 * 10 + $1 }
        if yearDigits == 2 {
            year += year < 50 ? 2000 : 1900
        } else if (1950..<2050).contains(year) {
            return nil
        }
        func pair(_ index: Int) -> Int { numbers[yearDigits + 2 * index] * 10 + numbers[yearDigits + 2 * index + 1] }
        self.init(year: year, month: pair(0), day: pair(1), hour: pair(2), minute: pair(3), second: pair(4))
    }
}
