internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Vault

extension MerchantAPI {
    /// Performs an operation on a merchant's sessions, tokens or payment options.
    func perform(
        _ operation: MerchantOperation, _ request: JSONNode, for caller: Caller, version: APIVersion
    ) async -> Response {
        let merchant = caller.merchant
        do throws(ErrorReply) {
            switch operation {
            case .createSession: return try await createSession(request, for: merchant, version: version)
            case .updateSession(let id): return try await update(id, request, for: caller, version: version)
            case .retrieveSession(let id): return try await retrieveSession(id, of: merchant, version: version)
            case .createToken: return try await createToken(request, for: merchant)
            case .replaceToken(let id): return try await replaceToken(id, request, for: merchant)
            case .retrieveToken(let id): return try await retrieveToken(id, of: merchant)
            case .deleteToken(let id): return try await deleteToken(id, of: merchant)
            case .inquirePaymentOptions: return try inquirePaymentOptions(request, for: merchant, version: version)
            }
        } catch {
            return error.response
        }
    }

    private func createSession(
        _ request: JSONNode, for merchant: Merchant, version: APIVersion
    ) async throws(ErrorReply) -> Response {
        let request = try SessionCreation(request)
        do throws(SessionRefusal) {
            let session = try await sessions.create(
                for: merchant.id, authenticationLimit: request.authenticationLimit, at: now())
            return .json(.created, SessionReply(session, request.correlationID).creation(in: version))
        } catch {
            throw ErrorReply(error)
        }
    }

    private func update(
        _ id: String, _ request: JSONNode, for caller: Caller, version: APIVersion
    ) async throws(ErrorReply) -> Response {
        if caller.isPayer { try PayerFields.check(request) }
        let update = try SessionUpdate(request)
        try caller.merchant.checkDevicePayment(in: request)
        do throws(SessionRefusal) {
            let session = try await sessions.update(
                id, of: caller.merchant.id, expecting: update.version, with: update.fields, at: now())
            let reply = SessionReply(session, update.correlationID)
            let content = caller.isPayer ? reply.payerContent(in: version) : reply.content(in: version)
            return Response.json(.ok, content).readableByPayersPage
        } catch {
            throw ErrorReply(error)
        }
    }

    private func retrieveSession(
        _ id: String, of merchant: Merchant, version: APIVersion
    ) async throws(ErrorReply) -> Response {
        do throws(SessionRefusal) {
            let session = try await sessions.retrieve(id, of: merchant.id, at: now())
            return .json(.ok, SessionReply(session, nil).content(in: version))
        } catch {
            throw ErrorReply(error)
        }
    }
}
