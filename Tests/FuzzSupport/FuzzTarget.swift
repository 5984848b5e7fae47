internal import ApplePay
internal import ApplePaySandbox
internal import Glibc
internal import TestSupport
import Values

/// What a fuzzer drives: bytes from a stranger may be refused, and nothing else may come of them.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A token's text, through every step of its opening.
    case token
    /// The bytes of a token's signature.
    case signature
    /// The text that a token's payment data decrypt to.
    case paymentData
    /// The bytes of a client that speaks HTTP/1.1.
    case http1
    /// The bytes of a client that speaks HTTP/2.
    case http2
    /// A document in XML.
    case xml

    /// The merchant whose tokens are opened, made when the process starts: seeds are good for one run.
    private static let merchant = Result { try LocalMerchant() }

    /// Takes one input.
    ///
    /// - Returns: whether it was accepted.
    package func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .token:
            guard case .success(let merchant) = Self.merchant else { return false }
            let report = merchant.opener.open(bytes, at: .transaction(LocalMerchant.instant), expecting: nil)
            for step in TokenStep.allCases {
                precondition(!report.detail(of: step).isEmpty, "each outcome has its words")
            }
            return report.opened != nil
        case .signature:
            return (try? SignedData(ber: Array(bytes))) != nil
        case .paymentData:
            return (try? PaymentData(json: bytes)) != nil
        case .http1:
            return HTTP1Fuzz.accepts(bytes)
        case .http2:
            return HTTP2Fuzz.accepts(bytes)
        case .xml:
            return XMLFuzz.accepts(bytes)
        }
    }

    /// Inputs to begin with: good ones, and bad ones; of tokens, one with each defect of the mint.
    package func seeds() throws -> [[UInt8]] {
        switch self {
        case .token, .signature, .paymentData: try tokenSeeds()
        case .http1: HTTP1Fuzz.seeds
        case .http2: HTTP2Fuzz.seeds
        case .xml: XMLFuzz.seeds
        }
    }

    private func tokenSeeds() throws -> [[UInt8]] {
        let merchant = try Self.merchant.get()
        let order = try merchant.orderForDefects()
        let plain = try merchant.order()
        var tokens = try TokenVersion.allCases.flatMap { version in
            [try merchant.mint(plain, version), try merchant.mint(order, version)]
        }
        for defect in MintDefect.allCases {
            tokens.append(try merchant.mint(order, LocalMerchant.version(for: defect), defect: defect))
        }
        switch self {
        case .signature: return tokens.compactMap(Self.signature)
        case .paymentData:
            return tokens.compactMap { token in
                let report = merchant.opener.open(text: token, at: .transaction(LocalMerchant.instant))
                return report.paymentData.map { Array($0.document.revealed().utf8) }
            }
        case .token, .http1, .http2, .xml: return tokens.map { Array($0.utf8) }
        }
    }

    private static func signature(of token: String) -> [UInt8]? {
        let parts = token.split(separator: "\"signature\":\"")
        guard parts.count == 2, let text = parts[1].split(separator: "\"").first else { return nil }
        return Base64.decoded(String(text))
    }

    /// Writes the seeds into a folder, one a file.
    package func writeSeeds(to folder: String) throws {
        mkdir(folder, 0o755)
        for (number, seed) in try seeds().enumerated() {
            guard let file = fopen("\(folder)/seed-\(number)", "w") else { continue }
            fwrite(seed, 1, seed.count, file)
            fclose(file)
        }
    }
}
