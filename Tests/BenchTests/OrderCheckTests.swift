import Testing

@testable import tollgate_bench

/// Histories that are right, and histories that are wrong in one thing.
struct OrderCheckTests {
    @Test func `operations one after the other, each answered, are right`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...3)
        log.tell(.capture(cents: 400), id: "3", at: 4...5)
        log.tell(.refund(cents: 100, target: "2"), id: "4", at: 6...7)
        log.tell(.void(target: "4"), id: "5", at: 8...9)
        log.tell(.void(target: "3"), id: "6", at: 10...11)
        log.retrieve(at: 12...13)
        #expect(try OrderCheck.check(log.log).map(\.id) == ["1", "2", "3", "4", "5", "6"])
    }

    @Test func `an answer that is missing in the order is a lost write`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...3)
        log.forget("2")
        log.retrieve(at: 4...5)
        #expect(log.fault?.contains("transaction 2 is lost") == true)
    }

    @Test func `an order that is gone is a lost write`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: true, cents: 1000, token: 1), id: "1", at: 0...1)
        log.answer(.order, .refused(.unknown), at: 2...3)
        #expect(log.fault?.contains("transaction 1 is lost") == true)
    }

    @Test func `a request without an answer may have been carried out, or not`() throws {
        for isCarriedOut in [false, true] {
            var log = ToldOrder()
            log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
            log.send(.capture(cents: 600), id: "2", begun: 2, isCarriedOut: isCarriedOut)
            log.retrieve(at: 4...5)
            log.retrieve(at: 6...7)
            #expect(try OrderCheck.check(log.log).count == (isCarriedOut ? 2 : 1))
        }
    }

    @Test func `what RETRIEVE has shown stays`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.send(.capture(cents: 600), id: "2", begun: 2, isCarriedOut: true)
        log.retrieve(at: 4...5)
        log.forget("2")
        log.retrieve(at: 6...7)
        #expect(log.fault?.contains("an answer that was true at no moment") == true)
    }

    @Test func `a request whose server is gone isn't carried out later`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.send(.capture(cents: 600), id: "2", begun: 2, ended: 3, isCarriedOut: false)
        log.retrieve(at: 4...5)
        log.carryOut(.capture(cents: 600), id: "2", reference: "2")
        log.retrieve(at: 6...7)
        #expect(log.fault?.contains("an answer that was true at no moment") == true)
    }

    @Test func `totals that don't add up are found in an answer and in RETRIEVE`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...3) { $0.capturedCents = 1200 }
        log.retrieve(at: 4...5)
        #expect(log.fault?.contains("the order shown with transaction 2") == true)

        log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...3)
        log.retrieve(at: 4...5) { $0.capturedCents = 0 }
        #expect(log.fault?.contains("an answer that was true at no moment") == true)
    }

    @Test func `two captures that were decided on one state are found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...5)
        log.tell(.capture(cents: 600), id: "3", at: 2...5, asLawful: true)
        log.retrieve(at: 6...7)
        #expect(log.fault?.contains("transaction 3 was made of an order that doesn't allow it") == true)
    }

    @Test func `a request that was sent again has the same bytes, and no others`() throws {
        for bytes in [nil, "other"] {
            var log = ToldOrder()
            log.tell(.begin(isPayment: true, cents: 1000, token: 1), id: "1", at: 0...1)
            log.tell(.refund(cents: 100, target: nil), id: "2", at: 2...3)
            log.repeatAnswer(of: 0, at: 4...5, bytes: bytes)
            log.retrieve(at: 6...7)
            if bytes == nil {
                try OrderCheck.check(log.log)
            } else {
                #expect(log.fault?.contains("answered with other bytes") == true)
            }
        }
    }

    @Test func `a transaction that RETRIEVE shows with other bytes is found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: true, cents: 1000, token: 1), id: "1", at: 0...1)
        log.answer(.transaction("1"), .transaction(log.shown("1", bytes: "other")), at: 2...3)
        log.retrieve(at: 4...5)
        #expect(log.fault?.contains("retrieved with other bytes") == true)
    }

    @Test func `a transaction whose lasting members change is found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: true, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.refund(cents: 100, target: nil), id: "2", at: 2...3)
        log.answer(.transaction("1"), .transaction(log.shown("1", lasting: "other")), at: 4...5)
        log.retrieve(at: 6...7)
        #expect(log.fault?.contains("transaction 1 is shown otherwise") == true)
    }

    @Test func `a refusal must be true while the request is in flight`() throws {
        // Lawful before the other capture, and refused after it.
        for (begun, isRight) in [(2, true), (0, true), (-10, false)] {
            var log = ToldOrder()
            log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: -20 ... -19)
            log.tell(.capture(cents: 600), id: "2", at: 0...1)
            let ended = begun == -10 ? -5 : 9
            log.refuse(.capture(cents: 500), id: "3", with: .order(""), at: begun...ended)
            log.retrieve(at: 10...11)
            #expect((log.fault == nil) == isRight, "\(begun)")
        }
    }

    @Test func `what is lawful all along isn't refused`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.refuse(.capture(cents: 500), id: "2", with: .order(""), at: 2...3)
        log.retrieve(at: 10...11)
        #expect(log.fault?.contains("an answer that was true at no moment") == true)
    }

    @Test func `other parameters are refused only where there is a transaction`() throws {
        for isThere in [true, false] {
            var log = ToldOrder()
            log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
            if isThere { log.tell(.capture(cents: 600), id: "2", at: 2...3) }
            log.refuse(.capture(cents: 1), id: "2", with: .otherParameters, at: 4...5)
            log.retrieve(at: 10...11)
            #expect((log.fault == nil) == isThere)
        }
    }

    @Test func `other parameters under the same identifiers are never carried out, too`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 2...3)
        log.tell(.capture(cents: 1), id: "2", at: 4...5)
        log.retrieve(at: 10...11)
        #expect(log.fault?.contains("transaction 2 is there twice") == true)
    }

    @Test func `a read doesn't go back behind one that ended before`() throws {
        for isInOrder in [true, false] {
            var log = ToldOrder()
            log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
            let before = log.orderShown()
            log.tell(.capture(cents: 600), id: "2", at: 2...20)
            log.answer(.order, .order(before), at: isInOrder ? 3...4 : 7...8)
            log.retrieve(at: 5...6)
            log.retrieve(at: 21...22)
            #expect(log.fault?.contains("true at no moment") == (isInOrder ? nil : true))
        }
    }

    @Test func `an answer is not of what was asked for later`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 10...11)
        log.retrieve(at: 3...4)
        #expect(log.fault?.contains("had not been requested yet") == true)
    }

    @Test func `writes stand in the order of their instants`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.tell(.capture(cents: 600), id: "2", at: 10...11)
        log.tell(.capture(cents: 100), id: "3", at: 4...5)
        log.retrieve(at: 20...21)
        #expect(log.fault?.contains("was answered before it was sent") == true)
    }

    @Test func `a transaction that nobody asked for is found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.carryOut(.capture(cents: 600), id: "2", reference: "unknown")
        log.retrieve(at: 20...21)
        #expect(log.fault?.contains("a request that nobody sent") == true)
    }

    @Test func `what was refused each time isn't there`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.refuse(.capture(cents: 500), id: "2", with: .order(""), at: 2...3)
        log.carryOut(.capture(cents: 500), id: "2", reference: "2")
        log.retrieve(at: 20...21)
        #expect(log.fault?.contains("though it was refused") == true)
    }

    @Test func `another amount than was asked for is found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.send(.capture(cents: 1), id: "2", begun: 2, isCarriedOut: false)
        log.carryOut(.capture(cents: 500), id: "2", reference: "2")
        log.retrieve(at: 20...21)
        #expect(log.fault?.contains("is not what was asked for") == true)
    }

    @Test func `an answer in no words of the API is found`() throws {
        var log = ToldOrder()
        log.tell(.begin(isPayment: false, cents: 1000, token: 1), id: "1", at: 0...1)
        log.answer(.order, .unexpected("500"), at: 2...3)
        log.retrieve(at: 20...21)
        #expect(log.fault?.contains("no request may have") == true)
    }
}
