internal import HTTPTypes
internal import Access
internal import Payments
internal import Values
internal import Vault
internal import XML

extension RadialAPI {
    /// Carries out a request at most once per `requestId`. A repeated request gets the stored answer; a different request
    /// with the same `requestId` is refused.
    ///
    /// - Parameters:
    ///   - carryOut: carries out the request and returns the answer. Called again for a request that was started but
    ///     never answered.
    func once(
        _ requestID: TransactionID, _ call: Call, _ parameters: SecretText,
        _ carryOut: () async throws(Fault) -> [UInt8]
    ) async throws(Fault) -> [UInt8] {
        let (id, merchant) = (requestID.text, call.merchant.id)
        let key = await inFlight.lock(id, of: merchant)
        defer { inFlight.unlock(key) }
        var outcome = try await claim(id, of: merchant, for: parameters)
        // Another instance may be carrying out the same request, which must not be done twice, and usually answers soon.
        // If that instance crashed, no answer will come, so the wait is limited.
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
            // After a server error the request may have taken effect. Its claim is kept, and a repeated request resumes
            // there.
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

    /// Carries out a request whose answer can be rebuilt from its transaction, and so is not stored. The claim is written
    /// in the transaction's commit. If two instances carry it out at once, the first commit wins.
    func onceByLedger(
        _ requestID: TransactionID, _ call: Call, _ parameters: SecretText,
        _ carryOut: (HeldClaim) async throws(Fault) -> [UInt8]
    ) async throws(Fault) -> [UInt8] {
        let (id, merchant) = (requestID.text, call.merchant.id)
        let key = await inFlight.lock(id, of: merchant)
        defer { inFlight.unlock(key) }
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

    /// The part that all commands of a request have in common.
    ///
    /// - Parameter claim: the existing claim, for a request that has not claimed its `requestId` itself.
    func instruction(
        _ requestID: TransactionID, _ orderID: OrderID, _ call: Call, _ parameters: SecretText,
        particulars: JSONParticulars = .none, claim: HeldClaim? = nil
    ) -> Instruction {
        Instruction(
            merchant: call.merchant, order: orderID, transaction: requestID, source: .internet,
            parameters: parameters, particulars: particulars.value,
            commitExtension: RadialCommit(
                claim: claim ?? claims.written(requestID.text, of: call.merchant.id, for: parameters),
                accountTokens: accountTokens, merchant: call.merchant.id),
            api: .radial,
            noting: { [trace = call.trace] in trace.note(notices: $0) })
    }

    /// The transaction of an earlier, identical request; nil if there is none.
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

    /// An order with its transactions; nil if there is no such order.
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
