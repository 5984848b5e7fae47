internal import JSON
internal import Vault

extension RadialCodes {
    /// Writes the codes to a transaction's record.
    func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("authorization", authorizationResponseCode)
        record.member("avs", avsResponseCode)
        record.member("cvv2", cvv2ResponseCode)
        record.member("email", payer?.email)
        record.member("name", payer?.name)
        record.member("phone", payer?.phone)
        record.member("response", responseCode.rawValue)
        record.endObject()
    }

    /// Reads the codes of a transaction's record.
    init(_ reader: RecordReader) throws(RecordFault) {
        var payer: RadialPayerCodes?
        if let phone = try reader.stringIfPresent("phone") {
            payer = RadialPayerCodes(
                phone: phone, name: try reader.string("name"), email: try reader.string("email"))
        }
        self.init(
            responseCode: try reader.element("response"),
            authorizationResponseCode: try reader.string("authorization"),
            cvv2ResponseCode: try reader.string("cvv2"), avsResponseCode: try reader.string("avs"), payer: payer)
    }
}
