internal import HTTPTypes
internal import Access
internal import Payments
internal import Values
internal import XML

extension RadialAPI {
    /// Carries out a request once, whatever it asks for: the same one has the same answer ever after, and another one under
    /// its `requestId` is refused.
    ///
    /// - Parameters:
    ///   - carryOut: makes the answer; called again for a request that was begun and never answered.
    func once(
        _ requestID: TransactionID, _ call: Call, _ parameters: SecretText,
        _ carryOut: () async throws(Fault) -> [UInt8]
    ) async throws(Fault) -> [UInt8] {
        let (id, merchant) = (requestID.text, call.merchant.id)
        let turn = await inFlight.turn(of: id, merchant)
        defer { inFlight.end(turn) }
        var outcome = try await claim(id, of: merchant, for: parameters)
        // A twin in another gateway has an answer soon, and both shall do nothing twice; one that ended with its gateway never
        // has.
        for _ in 0..<Self.looksMax {
            guard case .repeated(nil) = outcome else { break }
            try? await Task.sleep(for: Self.lookPause)
            outcome = try await claim(id, of: merchant, for: parameters)
        }
        switch outcome {
        case .differs: throw .duplicateRequest(in: call.root.path)
        case .full(let countMax): throw .tooManyRequests(countMax: countMax)
        case .repeated(let answer?): return answer
        case .repeated(nil), .first: break
        }
        let answer: [UInt8]
        do throws(Fault) { answer = try await carryOut() } catch {
            // What failed for the store may have been done all the same: its name stays taken, and the same request goes on
            // where this one ended.
            if outcome == .first, error.status.kind == .clientError { try? await claims.release(id, of: merchant) }
            throw error
        }
        do throws(StoreFailure) {
            try await claims.keep(answer, to: id, of: merchant, for: parameters, at: now())
        } catch {
            throw Fault(error)
        }
        return answer
    }

    /// Carries out a request whose answer follows from the transaction of its name, and so need not be kept. The claim is
    /// written with that transaction or not at all; of two at one time, of whatever instances, one commits first.
    func onceByLedger(
        _ requestID: TransactionID, _ call: Call, _ parameters: SecretText,
        _ carryOut: (HeldClaim) async throws(Fault) -> [UInt8]
    ) async throws(Fault) -> [UInt8] {
        let (id, merchant) = (requestID.text, call.merchant.id)
        let turn = await inFlight.turn(of: id, merchant)
        defer { inFlight.end(turn) }
        let claim: HeldClaim?
        do throws(StoreFailure) { claim = try await claims.held(id, of: merchant, for: parameters) } catch {
            throw Fault(error)
        }
        guard let claim else { throw .duplicateRequest(in: call.root.path) }
        return try await carryOut(claim)
    }

    private static let looksMax = 20
    private static let lookPause = Duration.milliseconds(25)

    private func claim(
        _ id: String, of merchant: MerchantID, for parameters: SecretText
    ) async throws(Fault) -> RequestClaims.Outcome {
        do throws(StoreFailure) { return try await claims.claim(id, of: merchant, for: parameters, at: now()) } catch {
            throw Fault(error)
        }
    }

    /// What every command of a request has in common.
    ///
    /// - Parameter claim: that which was found, of a request that has not claimed its name yet.
    func instruction(
        _ requestID: TransactionID, _ orderID: OrderID, _ call: Call, _ parameters: SecretText,
        particulars: JSONParticulars = .none, claim: HeldClaim? = nil
    ) -> Instruction {
        Instruction(
            merchant: call.merchant, order: orderID, transaction: requestID, source: .internet,
            parameters: parameters, particulars: particulars.value,
            claim: claim ?? claims.written(requestID.text, of: call.merchant.id, for: parameters), face: .radial,
            noting: { [trace = call.trace] in trace.note(notices: $0) })
    }

    /// The transaction that answered a request before, if one did.
    func answered(
        _ requestID: TransactionID, _ orderID: OrderID, _ call: Call, _ parameters: SecretText
    ) async throws(Fault) -> Transaction? {
        let key = OrderKey(merchant: call.merchant.id, order: orderID)
        do throws(Refusal) {
            return try await gateway.answer(to: parameters, as: requestID, of: key, timing: call.trace.stages)
        } catch {
            throw fault(error, call)
        }
    }

    /// Carries out a command.
    func carryOut(_ command: Command, _ call: Call) async throws(Refusal) -> Transaction {
        let transaction = try await gateway.perform(command, at: now(), timing: call.trace.stages)
        call.trace.note(transaction)
        return transaction
    }

    /// An order that a request names, with its transactions; nothing if there is none of this id.
    func history(_ orderID: OrderID, _ call: Call) async throws(Fault) -> OrderHistory? {
        let key = OrderKey(merchant: call.merchant.id, order: orderID)
        do throws(Refusal) {
            let permit = try await gateway.permit(toRetrieve: key, timing: call.trace.stages)
            defer { withExtendedLifetime(permit) {} }
            return try await gateway.retrieve(key, timing: call.trace.stages)
        } catch .unknownOrder {
            return nil
        } catch {
            throw fault(error, call)
        }
    }
}
