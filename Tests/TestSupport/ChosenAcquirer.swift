public import Payments

/// An acquirer whose answer a test chooses for each command.
public struct ChosenAcquirer: Acquirer {
    private let simulator: SimulatedAcquirer
    private let choose: @Sendable (AcquirerCommand) -> GatewayCode

    /// An acquirer that answers what `choose` says. Of a partial approval, half is approved, and at least one minor unit.
    public init(_ choose: @escaping @Sendable (AcquirerCommand) -> GatewayCode) throws {
        simulator = try TestSimulator.acquirer()
        self.choose = choose
    }

    /// An acquirer that answers what the transaction's name ends with, after a hyphen, and else approves.
    public static func byName() throws -> ChosenAcquirer {
        try ChosenAcquirer { command in
            command.transaction.text.split(separator: "-").last.flatMap { GatewayCode(rawValue: String($0)) }
                ?? .approved
        }
    }

    /// The share of an amount that a code approves.
    public static func approvedMinorUnits(of minorUnits: Int64, _ gatewayCode: GatewayCode) -> Int64 {
        switch gatewayCode {
        case .approved: minorUnits
        case .partiallyApproved: minorUnits == 0 ? 0 : max(1, minorUnits / 2)
        default: 0
        }
    }

    /// The chosen answer in the simulator's clothes.
    public func answer(_ command: AcquirerCommand) -> AcquirerReply {
        let gatewayCode = choose(command)
        let reply = simulator.answer(command)
        return AcquirerReply(
            gatewayCode: gatewayCode,
            result: gatewayCode.isApproval ? .success : gatewayCode == .unknown ? .unknown : .failure,
            approvedMinorUnits: Self.approvedMinorUnits(of: command.amount.minorUnits, gatewayCode),
            recommendation: nil, acquirerCode: gatewayCode.isApproval ? "00" : "05", acquirerMessage: nil,
            identity: reply.identity, constants: reply.constants, fundingAccount: reply.fundingAccount)
    }
}
