internal import HTTP
internal import JSON
internal import Payments
internal import Values

/// A validated request to reset the gateway, or what it knows of one merchant.
struct ResetRequest: Sendable {
    private let gateway: ControlledGateway
    private let merchant: Merchant?

    /// Reads the request: `merchant`, or nothing for everything.
    init(_ content: WipedBuffer, _ gateway: ControlledGateway) throws(ControlFault) {
        let fields = try ControlFields(content, ["merchant"])
        self.gateway = gateway
        guard let id = try fields.merchant("merchant") else {
            merchant = nil
            return
        }
        guard let merchant = gateway.merchants[id] else {
            throw fields.fault("merchant", "No merchant of this gateway has this id")
        }
        self.merchant = merchant
    }

    /// Resets. Replies once it is done.
    @concurrent
    func response() async -> Response {
        do {
            if let merchant { try await forget(merchant) } else { try await resetAll() }
        } catch { return ControlFault.storeUnavailable.response }
        gateway.events.reset()
        return .control(["result": "SUCCESS"])
    }

    /// Resets the gateway to the state of its first start.
    private func resetAll() async throws {
        try await gateway.store.reset()
        gateway.outcomes.removeAll()
        gateway.requests.removeAll()
        gateway.reports.removeAll()
        gateway.references.seed(nil)
        gateway.clock.reset()
    }

    /// Forgets one merchant. Other merchants, the clock and the seed stay as they are.
    private func forget(_ merchant: Merchant) async throws {
        try await gateway.merchantReset.forget(merchant.id)
        gateway.outcomes.removeAll(of: merchant.id)
        gateway.requests.removeAll(of: Set([merchant.id.text] + merchant.sections.map(\.name)))
        gateway.reports.removeAll(of: merchant.id)
    }
}
