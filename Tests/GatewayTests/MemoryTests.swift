import Glibc
import JSON
import Testing
import Values

/// A token's secrets don't outlive its opening, while the gateway lives on.
struct MemoryTests {
    private static let devicePAN = "5289441200071352"
    private static let cryptogram = "q83vASNFZ4mrze8BI0VniavN7w8="
    private static let reference = "control-5f0c2b7e9d"

    /// The thread sanitizer's shadow of what there could be is too large to be searched.
    private static let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

    @Test(.disabled(if: isThreadSanitized, "the thread sanitizer's own memory is too large to be searched"))
    func `after tokens were opened no secret of them is in the gateway's memory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        var secrets: [SecretScanner.Secret] = [
            .init("account number", Self.devicePAN), .init("cryptogram", Self.cryptogram),
            .init("cryptogram's bytes", Base64.decoded(Self.cryptogram) ?? []),
        ]
        let merchantKey = try folder.read("data/sandbox/merchant.key.pem")
        for number in 1...3 {
            let token = try folder.mint("5656.00", "--pan", Self.devicePAN, "--cryptogram", Self.cryptogram)
            let keys = try TokenKeys(of: token, merchantKey: merchantKey)
            secrets.append(.init("symmetric key \(number)", keys.symmetricKey.withUnsafeBytes { Array($0) }))
            secrets.append(.init("shared secret \(number)", keys.sharedSecret.withUnsafeBytes { Array($0) }))
            let path = TransactionPath(order: "order-\(number)")
            #expect(try gateway.put(path, PaymentRequest.token(token, amount: "5656.00")).status == 201)
            // A refused one is opened as well, and its report is kept.
            let refused = try gateway.put(
                TransactionPath(order: "refused-\(number)"), PaymentRequest.token(token, amount: "5657.00"))
            #expect(refused.status == 400)
            #expect(refused.field("tollgate-report")?.utf8.count == 32)
        }
        // The search is in earnest: what the gateway keeps on purpose is found.
        let planted = PaymentRequest.body(
            amount: "1.00", wallet: nil,
            card: ["number": "4508750015741019", "expiry": ["month": "5", "year": "39"]], reference: Self.reference)
        #expect(try gateway.put(TransactionPath(order: "planted"), planted).status == 201)

        let memory = ProcessMemory(of: gateway.process)
        let kept = try memory.findings(SecretScanner([.init("reference", Self.reference)]))
        #expect(kept.contains("reference, plain"))
        let outlived = try memory.findings(SecretScanner(secrets))
        #expect(outlived == [])
    }
}
