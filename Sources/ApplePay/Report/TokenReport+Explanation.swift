public import JSON
internal import Values

extension TokenReport {
    /// Whether a token is valid, based on the steps that ran.
    public enum Verdict: String, Sendable {
        /// No step failed; some may have been skipped.
        case accepted
        /// At least one step failed.
        case rejected
    }

    /// Accepted unless a step failed.
    public var verdict: Verdict { refusal == nil ? .accepted : .rejected }

    /// One sentence on a step's outcome: the finding, why the step was skipped, or the failure and its remedy.
    public func detail(of step: TokenStep) -> String {
        switch self[step] {
        case .passed: finding(of: step)
        case .failed(let refusal): refusal.finding + " " + refusal.remedy
        case .skipped(let skip): skip.description
        }
    }

    private func finding(of step: TokenStep) -> String {
        switch step {
        case .parse: "\(version ?? "") token, transaction \(transactionId?.description ?? "")."
        case .certificates: "Signed by \"\(Printable(signer?.commonName ?? ""))\"; both markers are there."
        case .chain: "Leaf, intermediate and an accepted root (\(signer?.environment?.rawValue ?? ""))."
        case .signature: "The digest is the content's, and the signature is the signer's."
        case .signingTime: "Signed at \(signer?.signingTime.wholeSeconds ?? "")."
        case .publicKeyHash: "The key is one of the merchant's."
        case .symmetricKey: version == TokenVersion.rsa.rawValue ? "Unwrapped." : "Agreed on and derived."
        case .decrypt: "The authentication tag matches."
        case .paymentData: "Every documented member is there and well formed."
        case .transactionDetails: "What was given to compare with is what the token says."
        case .replay: "Not used before."
        }
    }

    /// The report as JSON: `verdict`, `version`, `steps`, `notes`, `signer`, and `paymentData` if it was decrypted. A
    /// failed step has its `remedy`, with which its `detail` ends.
    ///
    /// - Parameter revealing: if true, `paymentData` contains the decrypted values. Otherwise every member that is or
    ///   might be card data is masked.
    public func json(revealing: Bool) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("verdict", .string(verdict.rawValue)),
            ("steps", .array(TokenStep.allCases.map(json(of:)))),
            ("notes", .array(notes.map { .string($0) })),
        ]
        if let version { members.append(("version", .string(version))) }
        if let signer { members.append(("signer", signer.json)) }
        if let decrypted = paymentData?.json(revealing: revealing) { members.append(("paymentData", decrypted)) }
        return .object(JSONObject(members))
    }

    private func json(of step: TokenStep) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("step", .string(step.rawValue)), ("outcome", .string(self[step].name)),
            ("detail", .string(detail(of: step))),
        ]
        if case .failed(let refusal) = self[step] { members.append(("remedy", .string(refusal.remedy))) }
        return .object(JSONObject(members))
    }
}

extension TokenReport.Outcome {
    /// `passed`, `failed` or `skipped`.
    public var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }
}

extension TokenReport.Skip: CustomStringConvertible {
    /// Why a step was skipped, as one sentence.
    public var description: String {
        switch self {
        case .needs(let step): "Not taken, for the step \(step.rawValue) did not pass."
        case .noKey: "No key of the merchant was given."
        case .noMerchantIdentifier: "Neither a merchant identifier nor a certificate that holds its hash was given."
        case .noOrder: "No amount, currency, application data or submerchant was given to compare with."
        case .noStore: "Only a payment is compared with the tokens that were used before."
        }
    }
}

extension TokenReport.Signer {
    fileprivate var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("commonName", .string(Printable(commonName).description)),
            ("signingTime", .string(signingTime.wholeSeconds)),
        ]
        if let environment { members.append(("environment", .string(environment.rawValue))) }
        return .object(JSONObject(members))
    }
}

extension PaymentData {
    /// The decrypted members, unmasked or masked.
    fileprivate func json(revealing: Bool) -> JSONValue? {
        document.withUTF8 { text in
            // The text was parsed before, within stricter limits than these.
            (try? JSONDocument(text))?.root
        }.map { revealing ? $0.value : masked($0) }
    }

    /// Masks by allowlist: a member is shown only if it is known to hold no card data. Masked values are not even
    /// copied, because strings are not zeroized.
    private func masked(_ node: JSONNode) -> JSONValue {
        guard node.kind == .object else { return "masked" }
        return .object(
            JSONObject(
                node.members.map { name, value in
                    switch name {
                    case "applicationExpirationDate", "currencyCode", "transactionAmount",
                        "deviceManufacturerIdentifier", "paymentDataType", "eciIndicator":
                        (name: name, value: value.value)
                    case "applicationPrimaryAccountNumber":
                        (name: name, value: .string(applicationPrimaryAccountNumber.masked(first: 6, last: 4)))
                    case "paymentData": (name: name, value: masked(value))
                    case "authenticationResponses": (name: name, value: maskedResponses)
                    default: (name: name, value: "masked")
                    }
                }))
    }

    /// The submerchants with their parsed amounts.
    private var maskedResponses: JSONValue {
        .array(
            authenticationResponses.map { response in
                [
                    "authenticationData": "masked",
                    "merchantIdentifier": .string(Printable(response.merchantIdentifier).description),
                    "transactionAmount": .string(String(response.transactionAmountMinorUnits)),
                ]
            })
    }
}
