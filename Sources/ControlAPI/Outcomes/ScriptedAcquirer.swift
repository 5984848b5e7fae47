public import Payments

/// Waits for a number of milliseconds.
public typealias Pause = @Sendable (_ milliseconds: Int) async -> Void

/// A wrapper for the simulated acquirer that applies the scripts of operations.
public struct ScriptedAcquirer: Acquirer {
    private let acquirer: any SteerableAcquirer
    private let outcomes: OutcomeRegister
    private let pause: Pause

    /// Creates an acquirer that claims scripts from `outcomes`.
    public init(
        _ acquirer: any SteerableAcquirer, outcomes: OutcomeRegister,
        pause: @escaping Pause = ScriptedAcquirer.sleep
    ) {
        self.acquirer = acquirer
        self.outcomes = outcomes
        self.pause = pause
    }

    /// Answers with the first script that matches the operation, after its latency; without a script, the simulator
    /// answers.
    public func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        guard let script = outcomes.claim(for: command) else { return await acquirer.answer(command) }
        await pause(script.millisecondsBefore)
        guard let gatewayCode = script.gatewayCode else { return await acquirer.answer(command) }
        return await acquirer.answer(command, with: gatewayCode)
    }

    /// Ends the claim of a script. If the operation was refused after all, the script waits again.
    public func conclude(_ command: AcquirerCommand, isCommitted: Bool) {
        acquirer.conclude(command, isCommitted: isCommitted)
        guard let script = outcomes.conclude(command.key, isCommitted: isCommitted) else { return }
        SteeredReply.current?.note(script)
    }

    /// Waits in real time.
    public static let sleep: Pause = { milliseconds in
        guard milliseconds > 0 else { return }
        // Returns early only if the task is cancelled; the tasks of requests never are.
        try? await Task.sleep(for: .milliseconds(milliseconds))
    }
}
