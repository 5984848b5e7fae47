internal import COpenSSL

// Application-layer protocol negotiation, RFC 7301.
extension TLSContext {
    /// Makes a client offer its protocols.
    func offerApplicationProtocols() throws(OpenSSLError) {
        guard !applicationProtocols.isEmpty else { return }
        let list = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        // Unlike other OpenSSL functions, this one returns 0 for success.
        try check(SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0, "SSL_CTX_set_alpn_protos")
    }

    /// Makes a server select the first of its own protocols that a client offers.
    func selectApplicationProtocol() {
        guard !applicationProtocols.isEmpty else { return }
        SSL_CTX_set_alpn_select_cb(
            context,
            { ssl, selected, selectedCount, offered, offeredCount, _ in
                let offered = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
                guard let range = TLSContext.of(ssl).select(from: offered) else {
                    // RFC 7301 §3.2: no_application_protocol.
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                selected?.pointee = offered.baseAddress?.advanced(by: range.lowerBound)
                selectedCount?.pointee = UInt8(range.count)
                return SSL_TLSEXT_ERR_OK
            }, nil)
    }

    /// The range of the selected name in the client's list, in which each name is preceded by its length; nil if none
    /// matches.
    private func select(from offered: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        for name in applicationProtocols {
            var start = 0
            while start < offered.count {
                let range = (start + 1)..<(start + 1 + Int(offered[start]))
                guard range.upperBound <= offered.count else { break }
                if offered[range].elementsEqual(name.utf8) { return range }
                start = range.upperBound
            }
        }
        return nil
    }
}
