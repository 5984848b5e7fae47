import Access
@testable import MerchantAPI
import Payments
import Testing

/// The list of operations that logs and metrics are given.
struct RegisteredOperationTests {
    @Test(arguments: PaymentOperation.allCases)
    func `every operation on a transaction is registered`(operation: PaymentOperation) {
        #expect(MerchantAPI.operations.contains(RequestOperation(operation)))
    }

    @Test func `every operation that a path and a method ask for is registered`() {
        let path = OrderPath(merchant: "M", order: "O")
        let operations: [Route.Operation] = [
            .authenticatePayer(merchant: "M"), .checkGateway, .inquireBalance(merchant: "M"), .retrieveOrder(path),
            .retrieveTransaction(path, "T"),
        ]
        let served: [MerchantOperation] = [
            .createSession, .updateSession("S"), .retrieveSession("S"), .createToken, .replaceToken("T"),
            .retrieveToken("T"), .deleteToken("T"), .inquirePaymentOptions,
        ]
        for operation in operations + served.map({ .serve(merchant: "M", $0) }) {
            #expect(operation.name.map(MerchantAPI.operations.contains) == true, "\(operation)")
        }
        #expect(Set(MerchantAPI.operations.map(\.name)).count == MerchantAPI.operations.count)
    }
}
