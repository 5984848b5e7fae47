import Payments
import TestSupport

/// What a merchant would note on paper: a tree of an authorization, its captures and their refunds, from which every answer
/// can be told. It shares nothing with the gateway's own rules, which work on sums.
struct OrderModel {
    /// A capture, with the sum of its refunds.
    struct Taken {
        let name: String
        let minorUnits: Int64
        var isVoided = false
        var refunds: [Given] = []
        var left: Int64 { max(0, minorUnits - refunds.map(\.live).reduce(0, +)) }
    }

    /// A refund.
    struct Given {
        let name: String
        let minorUnits: Int64
        var isVoided = false
        var live: Int64 { isVoided ? 0 : minorUnits }
    }

    /// The kinds of transaction that the order has, by name, approved or not.
    private(set) var kinds: [(name: String, kind: String)] = []
    /// What an attempt came to before there was money: `FAILED` or `VERIFIED`.
    private var attempt = "FAILED"
    private var hasMoney = false
    private var authorization: (name: String, minorUnits: Int64, isPayment: Bool, isVoided: Bool)?
    private(set) var taken: [Taken] = []
    private var standAlone: Given?
    private var amount: Int64 = 0

    var authorized: Int64 { authorization.map { $0.isVoided ? 0 : $0.minorUnits } ?? 0 }
    var captured: Int64 { taken.filter { !$0.isVoided }.map(\.minorUnits).reduce(0, +) }
    var refunded: Int64 { taken.flatMap(\.refunds).map(\.live).reduce(0, +) + (standAlone?.live ?? 0) }

    var status: String {
        guard hasMoney else { return attempt }
        switch (authorized, captured, refunded) {
        case (_, let captured, let refunded) where refunded > captured: return "EXCESSIVELY_REFUNDED"
        case (_, let captured, let refunded) where refunded > 0 && refunded == captured: return "REFUNDED"
        case (_, _, let refunded) where refunded > 0: return "PARTIALLY_REFUNDED"
        case (let authorized, let captured, _) where captured > 0 && captured == authorized: return "CAPTURED"
        case (_, let captured, _) where captured > 0: return "PARTIALLY_CAPTURED"
        case (let authorized, _, _) where authorized > 0: return "AUTHORIZED"
        default: return "CANCELLED"
        }
    }

    /// What the gateway must say to a step: `STATUS amount authorized/captured/refunded`, or the refusal's name.
    mutating func answer(_ step: ModelStep, isForeign: Bool, _ privileges: Set<Privilege>) -> String {
        if let refusal = refusal(of: step, isForeign: isForeign, privileges) { return refusal }
        take(step)
        return "\(status) \(amount) \(authorized)/\(captured)/\(refunded)"
    }

    private func refusal(of step: ModelStep, isForeign: Bool, _ privileges: Set<Privilege>) -> String? {
        let isNew = kinds.isEmpty
        switch step.operation {
        case .refundToCard where !privileges.contains(.refund), .refund where !privileges.contains(.refund),
            .refundToCard where !privileges.contains(.excessiveRefund), .void where !privileges.contains(.void):
            return "missingPrivilege"
        case .capture where isNew, .refund where isNew, .void where isNew, .update where isNew: return "unknownOrder"
        default: break
        }
        if step.minorUnits == 0, step.operation != .verify, step.operation != .void { return "amountNotPositive" }
        switch step.operation {
        case .authorize, .pay, .verify, .refundToCard:
            if hasMoney {
                return step.operation == .refundToCard ? "sourceOfFundsNotAllowed" : "orderNotAwaitingAuthorization"
            }
            return isForeign && !isNew ? "currencyDiffers" : nil
        case .capture, .update:
            if isForeign { return "currencyDiffers" }
            guard let authorization, !authorization.isPayment, !authorization.isVoided else { return "noAuthorization" }
            if step.operation == .update { return step.minorUnits < captured ? "lessThanCaptured" : nil }
            return step.minorUnits > authorized - captured ? "exceedsAuthorized" : nil
        case .refund:
            return isForeign ? "currencyDiffers" : refusalOfRefund(step, privileges.contains(.excessiveRefund))
        case .void:
            return refusalOfVoid(step.target)
        }
    }

    private func refusalOfRefund(_ step: ModelStep, _ mayExceed: Bool) -> String? {
        let live = taken.filter { !$0.isVoided }
        if let target = step.target {
            guard let meant = live.first(where: { $0.name == target }) else {
                return kinds.contains { $0.name == target } ? "targetNotRefundable" : "unknownTarget"
            }
            return step.minorUnits > meant.left && !mayExceed ? "exceedsCaptured" : nil
        }
        if live.isEmpty { return "nothingToRefund" }
        guard let meant = meant(of: live, mayExceed) else {
            return live.contains { $0.left > 0 } || mayExceed ? "severalToRefund" : "exceedsCaptured"
        }
        return step.minorUnits > meant.left && !mayExceed ? "exceedsCaptured" : nil
    }

    private func meant(of live: [Taken], _ mayExceed: Bool) -> Taken? {
        let open = live.filter { $0.left > 0 }
        if open.count == 1 { return open[0] }
        return open.isEmpty && mayExceed && live.count == 1 ? live[0] : nil
    }

    private func refusalOfVoid(_ target: String?) -> String? {
        if let authorization, authorization.name == target, !authorization.isPayment {
            if authorization.isVoided { return "nothingToVoid" }
            return captured > 0 ? "voidedOutOfOrder" : nil
        }
        if let taken = taken.first(where: { $0.name == target }) {
            if taken.isVoided { return "nothingToVoid" }
            return taken.refunds.contains { !$0.isVoided } ? "voidedOutOfOrder" : nil
        }
        let given = taken.flatMap(\.refunds) + [standAlone].compactMap(\.self)
        return given.contains { $0.name == target && !$0.isVoided } ? nil : "nothingToVoid"
    }

    private mutating func take(_ step: ModelStep) {
        kinds.append((step.name, "\(step.operation)"))
        let approved = ChosenAcquirer.approvedMinorUnits(of: step.minorUnits, step.gatewayCode)
        let isFirst = [.authorize, .pay, .verify, .refundToCard].contains(step.operation)
        if isFirst { amount = step.operation == .verify ? 0 : step.minorUnits }
        guard step.gatewayCode.isApproval else {
            if isFirst { attempt = "FAILED" }
            return
        }
        if step.operation == .verify { attempt = "VERIFIED" } else { hasMoney = true }
        switch step.operation {
        case .verify: break
        case .authorize: authorization = (step.name, approved, false, false)
        case .pay:
            authorization = (step.name, approved, true, false)
            taken = [Taken(name: step.name, minorUnits: approved)]
        case .refundToCard: standAlone = Given(name: step.name, minorUnits: approved)
        case .capture: taken.append(Taken(name: step.name, minorUnits: approved))
        case .update:
            amount = step.minorUnits
            let captured = captured
            authorization?.minorUnits = max(approved, captured)
        case .refund:
            let live = taken.filter { !$0.isVoided }
            let name = step.target ?? meant(of: live, true)?.name
            for index in taken.indices where taken[index].name == name {
                taken[index].refunds.append(Given(name: step.name, minorUnits: approved))
            }
        case .void: void(step.target)
        }
    }

    private mutating func void(_ target: String?) {
        if authorization?.name == target { authorization?.isVoided = true }
        if standAlone?.name == target { standAlone?.isVoided = true }
        for index in taken.indices {
            if taken[index].name == target { taken[index].isVoided = true }
            for refund in taken[index].refunds.indices where taken[index].refunds[refund].name == target {
                taken[index].refunds[refund].isVoided = true
            }
        }
    }
}

/// One random step: what is asked for, and what the acquirer will say.
struct ModelStep {
    enum Operation: CaseIterable {
        case authorize
        case pay
        case verify
        case capture
        case refund
        case refundToCard
        case void
        case update
    }

    let operation: Operation
    let name: String
    let minorUnits: Int64
    let target: String?
    let gatewayCode: GatewayCode

    /// The step for a gateway.
    func testStep(_ exponent: Int) -> TestStep {
        let amount = Amount.decimal(minorUnits, exponent: exponent)
        return switch operation {
        case .authorize: .authorize(amount)
        case .pay: .pay(amount)
        case .verify: .verify
        case .capture: .capture(amount)
        case .refund: .refund(amount, of: target)
        case .refundToCard: .refundToCard(amount)
        case .void: .void(target ?? "none")
        case .update: .update(amount)
        }
    }
}
