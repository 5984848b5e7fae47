internal import COpenSSL

/// Reads and fills in names of subjects and issuers (RFC 5280 §4.1.2.4) through OpenSSL's borrowed `X509_NAME *`.
enum DistinguishedName {
    /// One attribute of a name: OpenSSL's short name for it, such as `CN` or `UID`, and its value.
    typealias Attribute = (attribute: String, value: String)

    /// The name in DER; empty if OpenSSL can't encode it, which happens only when out of memory.
    static func der(of name: OpaquePointer?) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        X509_NAME_get0_der(name, &start, &count)
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The value of the first attribute of a kind, or nil.
    static func text(_ attribute: Int32, of name: OpaquePointer?) -> String? {
        let index = X509_NAME_get_index_by_NID(name, attribute, -1)
        guard index >= 0, let text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)) else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&start, text)
        guard count >= 0, let start else {
            ERR_clear_error()
            return nil
        }
        defer { CRYPTO_free(start, "", 0) }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Appends attributes in order. A common name has at most 64 characters (RFC 5280, appendix A.1).
    static func append(_ attributes: [Attribute], to name: OpaquePointer?) throws(OpenSSLError) {
        for (attribute, value) in attributes {
            let text = Array(value.utf8)
            let added = X509_NAME_add_entry_by_txt(
                name, attribute, MBSTRING_UTF8, text, Int32(text.count), -1, 0)
            try check(added == 1, "X509_NAME_add_entry_by_txt")
        }
    }
}
