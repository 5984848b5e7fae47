public import Payments

/// The simulated acquirer, but for the operations that a script concerns.
public struct ScriptedAcquirer: Acquirer {
    private let acquirer: any SteerableAcquirer
    private let outcomes: OutcomeRegister

    /// An acquirer that looks for scripts in `outcomes`.
    public init(_ acquirer: any SteerableAcquirer, outcomes: OutcomeRegister) {
        self.acquirer = acquirer
        self.outcomes = outcomes
    }

    /// Answers by the script that the operation has claimed, or as the simulator would. The claim lasts as long as the
    /// operation, so that a command which is asked again has the same answer.
    public func answer(_ command: AcquirerCommand) -> AcquirerReply {
        let key = TransactionKey(order: command.order, transaction: command.transaction)
        guard let script = outcomes.use(by: key), let gatewayCode = script.gatewayCode else {
            return acquirer.answer(command)
        }
        return acquirer.answer(command, with: gatewayCode)
    }
}
