public import ApplePay

extension TokenReport {
    /// The steps that refused the token, in order.
    public var failedSteps: [TokenStep] {
        TokenStep.allCases.filter { step in
            if case .failed = self[step] { true } else { false }
        }
    }

    /// The steps that were not taken, in order.
    public var skippedSteps: [TokenStep] {
        TokenStep.allCases.filter { step in
            if case .skipped = self[step] { true } else { false }
        }
    }
}
