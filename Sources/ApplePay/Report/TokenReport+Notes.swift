internal import OpenSSL
internal import Values

extension PaymentToken {
    /// Notes on the layers around the token, which Apple's tokens don't have. Many merchants send more than
    /// `paymentData`, or encode the JSON text twice.
    var notesOnWrappings: [String] {
        guard !wrappings.isEmpty else { return [] }
        return [
            "The token is wrapped (\(wrappings.joined(separator: ", "))); send it as "
                + "JSON.stringify(event.payment.token.paymentData)."
        ]
    }

    /// Notes on a removal or change of application data that would explain a digest mismatch.
    func notesOnDigest(expecting policy: ApplicationDataPolicy) -> [String] {
        let others = signedContent.dropLast(applicationData?.count ?? 0)
        func isSigned(with applicationData: [UInt8]) -> Bool {
            SHA256.hash(Array(others) + applicationData) == signedData.messageDigest
        }
        if applicationData != nil, isSigned(with: []) {
            return ["The token was signed without applicationData: header.applicationData was added on the way."]
        }
        guard let expected = policy.expectedHash, expected != applicationData, isSigned(with: expected) else {
            return []
        }
        return [
            applicationData == nil
                ? "The token was signed with the applicationData of the order: header.applicationData was lost on the way."
                : "The token was signed with the applicationData of the order: header.applicationData was replaced on "
                    + "the way."
        ]
    }
}

extension PaymentData {
    /// A note if the submerchants' amounts don't add up to the payment's. Apple documents no rule, so a difference is
    /// not a refusal.
    var notesOnAmounts: [String] {
        guard !authenticationResponses.isEmpty else { return [] }
        var sum: Int64 = 0
        for response in authenticationResponses {
            let (next, isOverflow) = sum.addingReportingOverflow(response.transactionAmountMinorUnits)
            guard !isOverflow else {
                return ["The amounts of authenticationResponses come to more than can be counted."]
            }
            sum = next
        }
        guard sum != transactionAmountMinorUnits else { return [] }
        return [
            "The \(authenticationResponses.count) amounts of authenticationResponses come to "
                + "\(AmountText(sum, currencyCode)), transactionAmount is "
                + "\(AmountText(transactionAmountMinorUnits, currencyCode))."
        ]
    }
}
