public import Payments

/// Lets so many milliseconds pass.
public typealias Pause = @Sendable (_ milliseconds: Int) async -> Void

/// The simulated acquirer, but for the operations that a script concerns.
public struct ScriptedAcquirer: Acquirer {
    private let acquirer: any SteerableAcquirer
    private let outcomes: OutcomeRegister
    private let pause: Pause

    /// An acquirer that looks for scripts in `outcomes`.
    public init(
        _ acquirer: any SteerableAcquirer, outcomes: OutcomeRegister,
        pause: @escaping Pause = ScriptedAcquirer.sleep
    ) {
        self.acquirer = acquirer
        self.outcomes = outcomes
        self.pause = pause
    }

    /// Answers by the first script that concerns the operation, after its latency, or as the simulator would.
    public func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        // A gateway code says nothing of other APIs' codes, which `simulator.yaml` chooses.
        guard command.api == .mastercard, let script = outcomes.claim(for: command.key) else {
            return await acquirer.answer(command)
        }
        await pause(script.millisecondsBefore)
        guard let gatewayCode = script.gatewayCode else { return await acquirer.answer(command) }
        return await acquirer.answer(command, with: gatewayCode)
    }

    /// Ends the claim of a script. It goes back to those that wait if the operation was refused after all.
    public func conclude(_ command: AcquirerCommand, isCommitted: Bool) {
        acquirer.conclude(command, isCommitted: isCommitted)
        guard let script = outcomes.conclude(command.key, isCommitted: isCommitted) else { return }
        SteeredReply.current?.note(script)
    }

    /// Lets time pass on the machine's clock.
    public static let sleep: Pause = { milliseconds in
        guard milliseconds > 0 else { return }
        // It ends early only if the task is cancelled, and nobody cancels a request's.
        try? await Task.sleep(for: .milliseconds(milliseconds))
    }
}
