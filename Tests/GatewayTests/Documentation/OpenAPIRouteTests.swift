import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import ControlAPI
@testable import HostedPages
@testable import MerchantAPI
@testable import RadialAPI

/// `openapi.yaml` against what the gateway routes: every method of every path is in both.
struct OpenAPIRouteTests {
    private let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.ofRepository.get() }

    private static let methods: [HTTPRequest.Method] = [
        .delete, .get, .head, .options, .patch, .post, .put, .trace, .init("QUERY") ?? .get,
    ]

    @Test func `every path answers to the methods that are described, and to no others`() throws {
        for path in Set(description.operations.map(\.path)).sorted() {
            let described = description.operations.filter { $0.path == path }.map(\.method)
            let expected = described.contains("GET") ? described + ["HEAD"] : described
            let answered = try Self.methods.filter { try Self.isRouted($0, Self.concrete(path)) }.map(\.rawValue)
            #expect(answered.sorted() == expected.sorted(), "\(path)")
        }
    }

    @Test func `every operation of the merchants' API is described`() throws {
        let merchants = description.operations.filter { $0.path.hasPrefix("/api/") }
        let routed = try merchants.compactMap {
            try Route(Self.concrete($0.path), latestVersion: 100)
                .operation(for: try #require(HTTPRequest.Method($0.method))).describedID($0.method)
        }
        #expect(routed.sorted() == Self.merchantIDs.sorted())
        #expect(merchants.map(\.id).sorted() == Self.merchantIDs.sorted())
    }

    @Test func `every operation of Radial's API is described`() throws {
        let radial = description.operations.filter { $0.path.hasPrefix("/v1.0/") }
        for operation in radial {
            let route = try RadialRoute(Self.concrete(operation.path))
            #expect(operation.id.hasPrefix(Self.describedID(route.service)), "\(operation.path)")
            #expect(route.storeID == "x")
        }
        #expect(radial.map(\.id).sorted() == Self.radialIDs.sorted())
        #expect(
            radial.count + Self.merchantIDs.count + Self.pageIDs.count + Self.controlIDs.count
                == description.operations.count)
    }

    @Test func `every operation of the pages is described`() throws {
        let pages = description.operations.filter { HostedRoute(path: $0.path) != nil }
        #expect(pages.map(\.path).sorted() == HostedRoute.allCases.map(\.rawValue).sorted())
        #expect(pages.map(\.id).sorted() == Self.pageIDs.sorted())
    }

    @Test func `every operation of the control API is described`() throws {
        let routed = try description.operations.filter { $0.path.hasPrefix(ControlRoute.prefix) }.map {
            try ControlRoute(Self.concrete($0.path), try #require(HTTPRequest.Method($0.method))).describedID
        }
        #expect(routed.sorted() == Self.controlIDs.sorted())
        #expect(
            description.operations.filter { $0.path.hasPrefix(ControlRoute.prefix) }.map(\.id).sorted()
                == Self.controlIDs.sorted())
    }

    @Test func `every operation describes the statuses that all of its kind can have`() throws {
        for operation in description.operations {
            guard case .object(let responses) = operation.content["responses"] else {
                Issue.record("\(operation.id) has no responses")
                continue
            }
            let statuses = Set(responses.map(\.name))
            #expect(statuses.isSuperset(of: ["400", "404", "405", "414", "421", "431"]), "\(operation.id)")
            #expect(statuses.contains("413") || operation.method == "GET", "\(operation.id)")
            #expect(statuses.contains("415") == (operation.content["requestBody"] != nil), "\(operation.id)")
            #expect(statuses.contains("401") || operation.content["security"] == [], "\(operation.id)")
            #expect(statuses.filter { $0.hasPrefix("2") }.count == 1, "\(operation.id)")
        }
    }

    @Test func `the statuses of every operation stand in ascending order`() throws {
        let text = try String(contentsOfFile: BuiltProgram.repository + "/openapi.yaml", encoding: .utf8)
        var statuses: [Substring] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("      operationId:") { statuses = [] }
            guard let status = line.prefixMatch(of: /[ ]{8}"([0-9]{3})":/)?.output.1 else { continue }
            if let before = statuses.last { #expect(before < status, "\(line)") }
            statuses.append(status)
        }
        #expect(!statuses.isEmpty)
    }

    @Test func `all that Radial's operations answer is XML, and all that the others refuse is JSON`() throws {
        for operation in description.operations {
            guard case .object(let responses) = operation.content["responses"] else { continue }
            let isRadial = operation.path.hasPrefix("/v1.0/")
            for response in responses where isRadial || response.name >= "400" {
                let reference = response.value["$ref"]?.text
                let content = try reference.map { try description.schemas.resolved($0) } ?? response.value
                guard case .object(let types) = content["content"] else { continue }
                #expect(
                    types.map(\.name) == [isRadial ? "text/xml" : "application/json"],
                    "\(operation.id) \(response.name)")
            }
        }
    }

    @Test func `replies to what may hold a token describe its notices`() throws {
        func hasNotice(_ id: String, _ status: String) throws -> Bool {
            let operation = try #require(description.operations.first { $0.id == id })
            let response = try #require(operation.content["responses"]?[status])
            let reference = response["$ref"]?.text
            let content = try reference.map { try description.schemas.resolved($0) } ?? response
            return content["headers"]?["Tollgate-Notice"]?["$ref"] == "#/components/headers/Tollgate-Notice"
        }
        for (id, status) in [("transact", "201"), ("creditCardAuth", "200"), ("decryptBlob", "200")] {
            for status in [status, "400", "500", "503"] { #expect(try hasNotice(id, status), "\(id) \(status)") }
        }
        #expect(try hasNotice("transact", "401") && !hasNotice("transact", "404"))
    }

    /// How the name of a service of Radial's begins in `openapi.yaml`.
    private static func describedID(_ service: RadialService) -> String {
        service.name.prefix(1).lowercased() + service.name.dropFirst()
    }

    private static func concrete(_ path: String) -> String {
        path.replacing("{version}", with: "100").replacing(/\{[A-Za-z]+\}/, with: "x")
    }

    private static func isRouted(_ method: HTTPRequest.Method, _ path: String) throws -> Bool {
        do {
            if path.hasPrefix(ControlRoute.prefix) {
                _ = try ControlRoute(path, method)
            } else if let route = HostedRoute(path: path) {
                try route.check(method)
            } else if RadialRoute.isAddressed(by: path) {
                _ = try RadialRoute(path)
                return method == .post
            } else {
                _ = try Route(path, latestVersion: 100).operation(for: method)
            }
            return true
        } catch let error as ErrorReply where error.status == .methodNotAllowed {
            return false
        } catch let error as HostedFault where error.status == .methodNotAllowed {
            return false
        } catch let error as ControlFault where error.status == .methodNotAllowed {
            return false
        }
    }

    // A case that is added to one of the switches below needs its name here, too.
    private static let merchantIDs = [
        "checkGateway", "createSession", "createToken", "deleteToken", "inquirePaymentOptions", "replaceToken",
        "retrieveOrder", "retrievePaymentOptions", "retrieveSession", "retrieveToken", "retrieveTransaction",
        "transact", "updateSession",
    ]
    private static let radialIDs = [
        "confirmFunds", "creditCardAuth", "decryptBlob", "paymentAuthCancel", "paymentSettlement", "protectPan",
        "protectPanOfTender", "tenderTypeLookup",
    ]
    private static let pageIDs = [
        "createPaymentSession", "getApplePayScript", "getDomainAssociation", "mintPageToken", "redeemMerchantSession",
        "startSession",
    ]
    private static let controlIDs = [
        "addOutcome", "getClock", "getDescription", "getHealth", "getReport", "getSandbox", "getSimulator",
        "followEvents", "inspectToken", "listDefects", "listMerchants", "listOrders", "listOutcomes", "listReports",
        "listRequests",
        "mintToken", "operate", "removeOutcome", "removeOutcomes", "reset", "setClock", "setSeed", "showOrder",
    ]
}

extension ControlRoute {
    /// The operation's name in `openapi.yaml`.
    fileprivate var describedID: String {
        switch self {
        case .mint: "mintToken"
        case .listDefects: "listDefects"
        case .inspect: "inspectToken"
        case .report: "getReport"
        case .listReports: "listReports"
        case .listRequests: "listRequests"
        case .followEvents: "followEvents"
        case .listOrders: "listOrders"
        case .showOrder: "showOrder"
        case .operate: "operate"
        case .reset: "reset"
        case .showClock: "getClock"
        case .setClock: "setClock"
        case .setSeed: "setSeed"
        case .addOutcome: "addOutcome"
        case .listOutcomes: "listOutcomes"
        case .removeOutcomes: "removeOutcomes"
        case .removeOutcome: "removeOutcome"
        case .showSimulator: "getSimulator"
        case .openAPI: "getDescription"
        case .sandbox: "getSandbox"
        case .listMerchants: "listMerchants"
        case .health: "getHealth"
        }
    }
}

extension Route.Operation {
    /// The operation's name in `openapi.yaml`; nothing for what is understood only to be refused.
    fileprivate func describedID(_ method: String) -> String? {
        switch self {
        case .authenticatePayer, .inquireBalance: nil
        case .checkGateway: "checkGateway"
        case .retrieveOrder: "retrieveOrder"
        case .retrieveTransaction: "retrieveTransaction"
        case .transact: "transact"
        case .serve(_, let operation):
            switch operation {
            case .createSession: "createSession"
            case .updateSession: "updateSession"
            case .retrieveSession: "retrieveSession"
            case .createToken: "createToken"
            case .replaceToken: "replaceToken"
            case .retrieveToken: "retrieveToken"
            case .deleteToken: "deleteToken"
            case .inquirePaymentOptions: method == "GET" ? "retrievePaymentOptions" : "inquirePaymentOptions"
            }
        }
    }
}
