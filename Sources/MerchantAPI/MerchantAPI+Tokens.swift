internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Vault

extension MerchantAPI {
    /// Stores a card under a new token.
    func createToken(_ request: JSONNode, for merchant: Merchant) async throws(ErrorReply) -> Response {
        let tokenization = try await tokenization(request, for: merchant)
        do throws(SessionRefusal) {
            let token = try await tokens.create(
                for: merchant.id, tokenization.fields, tokenization.verificationStrategy, at: now())
            return .json(.created, try CardTokenReply(token, tokenization.correlationID).value)
        } catch {
            throw ErrorReply(error)
        }
    }

    /// Replaces a token's card. To keep some details, the request names the token itself as a source in addition to
    /// the new details.
    func replaceToken(_ id: String, _ request: JSONNode, for merchant: Merchant) async throws(ErrorReply) -> Response {
        let tokenization = try await tokenization(request, for: merchant)
        do throws(SessionRefusal) {
            let token = try await tokens.replace(
                id, of: merchant.id, tokenization.fields, tokenization.verificationStrategy, at: now())
            return .json(.ok, try CardTokenReply(token, tokenization.correlationID).value)
        } catch {
            throw ErrorReply(error)
        }
    }

    /// Retrieves a token with its card, masked.
    func retrieveToken(_ id: String, of merchant: Merchant) async throws(ErrorReply) -> Response {
        do throws(SessionRefusal) {
            return .json(.ok, try CardTokenReply(try await tokens.retrieve(id, of: merchant.id), nil).value)
        } catch {
            throw ErrorReply(error)
        }
    }

    /// Deletes a token.
    func deleteToken(_ id: String, of merchant: Merchant) async throws(ErrorReply) -> Response {
        do throws(SessionRefusal) { try await tokens.delete(id, of: merchant.id) } catch { throw ErrorReply(error) }
        return .json(.ok, ["result": "SUCCESS"])
    }

    /// Validates a request to store a card, then reads the card from its sources. A session keeps its security code,
    /// because no transaction has used it.
    private func tokenization(
        _ request: JSONNode, for merchant: Merchant
    ) async throws(ErrorReply) -> Tokenization {
        let sent = try Tokenization.checked(request)
        guard sent.namesStoredFields else { return try Tokenization(sent, sent: sent) }
        return try Tokenization(try await gather(sent, for: merchant).fields, sent: sent)
    }
}
