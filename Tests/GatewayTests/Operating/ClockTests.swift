import ApplePay
import ApplePaySandbox
import Testing
import Values

@testable import tollgate

/// A machine whose clock is wrong.
struct ClockTests {
    @Test(arguments: [-400, 400], StoreOfGateway.allCases)
    func `with the clock 400 days off a replay is still refused, and a request still has its answer`(
        days: Int64, store: StoreOfGateway
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let environment = try store.environment()
        let now = SystemClock.now()
        let off = now.advanced(byMilliseconds: days * 86_400_000)
        var gateway = try RunningGateway(in: folder, environment: environment)
        defer { gateway.kill() }
        let mint = try SandboxMint(folder)
        let request = PaymentRequest.token(try mint.token(signedAt: now), amount: "30.10")
        let reply = try gateway.put(TransactionPath(), request)
        #expect(reply.status == 201)

        // There and back: a clock that was wrong is put right some day.
        for instant in [off, now] {
            gateway.kill()
            gateway = try RunningGateway(in: folder, "--clock", "\(instant)", environment: environment)
            let repeated = try gateway.put(TransactionPath(), request)
            #expect(repeated.status == 201)
            #expect(repeated.body == reply.body)
            #expect(try gateway.get(TransactionPath()).body == reply.body)
            let elsewhere = TransactionPath(order: "order-2")
            #expect(try gateway.put(elsewhere, request).status == 400)

            // Of another time the token would be stale, or from the future; what is remembered must be enough.
            let fresh = PaymentRequest.token(try mint.token(signedAt: instant), amount: "30.10")
            for path in [elsewhere, TransactionPath(transaction: "2")] {
                let refused = try gateway.put(path, fresh)
                #expect(refused.status == 400)
                #expect(refused["error.explanation"]?.contains(Self.reason(of: path)) == true)
                #expect(try gateway.get(path).status == 400)
            }
            let different = try gateway.put(TransactionPath(), fresh)
            #expect(different["error.explanation"]?.contains("the transaction parameters do not match") == true)
        }
    }

    /// An order that is authorized refuses before anyone asks about the token.
    private static func reason(of path: TransactionPath) -> String {
        path.order == "order-1" ? "The order is already AUTHORIZED" : "refused at step 'replay'"
    }

    @Test(arguments: [-400, 400], StoreOfGateway.allCases)
    func `a token that paid while the clock was 400 days off doesn't pay when it is right`(
        days: Int64, store: StoreOfGateway
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let environment = try store.environment()
        let now = SystemClock.now()
        let off = now.advanced(byMilliseconds: days * 86_400_000)
        var gateway = try RunningGateway(in: folder, "--clock", "\(off)", environment: environment)
        defer { gateway.kill() }
        let mint = try SandboxMint(folder)
        let request = PaymentRequest.token(try mint.token(signedAt: off), amount: "30.10")
        let reply = try gateway.put(TransactionPath(), request)
        #expect(reply.status == 201)

        gateway.kill()
        gateway = try RunningGateway(in: folder, environment: environment)
        let fresh = PaymentRequest.token(try mint.token(signedAt: now), amount: "30.10")
        let refused = try gateway.put(TransactionPath(order: "order-2"), fresh)
        #expect(refused.status == 400)
        #expect(refused["error.explanation"]?.contains("refused at step 'replay'") == true)
        #expect(try gateway.put(TransactionPath(), request).body == reply.body)
    }
}

/// The sandbox's Apple, who signs the same payment at whatever instant.
private struct SandboxMint {
    private let mint: TokenMint
    private let recipient: TokenMint.Recipient
    private let order: MintOrder

    init(_ folder: TestFolder) throws {
        let sandbox = try SandboxFiles(folder.data + "/sandbox")
        mint = TokenMint(sandbox.authority)
        let key = try #require(sandbox.keys.first)
        recipient = try TokenMint.Recipient(
            publicKey: key.publicKey, merchantIdentifierHash: try #require(key.merchantIdentifierHash))
        order = MintOrder(
            accountNumber: try AccountNumber("5123450000000008"),
            expirationDate: try #require(ApplicationExpirationDate(yymmdd: Array("391231".utf8))),
            currencyCode: "840", amountMinorUnits: 3010, signingTime: SystemClock.now())
    }

    func token(signedAt instant: Instant) throws -> String {
        var order = order
        order.signingTime = instant
        return String(decoding: try mint.mint(order, for: recipient), as: UTF8.self)
    }
}
