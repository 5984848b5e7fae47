public import JSON

/// The codes of one API in a row of the simulator's table.
public protocol SimulatedRowCodes: Sendable {}

/// Expresses a simulated acquirer's answers in the codes of one API; only that API's target knows the codes.
public protocol SimulatedAPICodes: Sendable {
    /// The codes of an outcome for a command; nil if the command came through another API or presents no card.
    ///
    /// - Parameters:
    ///   - outcome: the gateway code.
    ///   - row: ``SimulatedOutcome/apiCodes`` of the outcome's row.
    ///   - securityCode: the result for the card's security code, if it is one of those that the table lists.
    func codes(
        of outcome: GatewayCode, row: (any SimulatedRowCodes)?, for command: AcquirerCommand,
        securityCode: CardSecurityCodeResult?
    ) -> JSONObject?
}
