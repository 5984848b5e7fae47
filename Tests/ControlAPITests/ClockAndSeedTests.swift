import ControlAPI
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

struct ClockAndSeedTests {
    @Test func `the clock is set to an instant, by an offset, and back`() async throws {
        let control = try TestControl()
        let set = try await control.control(.put, "clock", #"{"instant":"2030-01-02T03:04:05Z"}"#)
        #expect(set.string("instant") == "2030-01-02T03:04:05.000Z")
        #expect(control.clock.now() == Instant(rfc3339: "2030-01-02T03:04:05Z"))
        let reply = try #require(await control.pay())
        #expect(reply.string("timeOfRecord") == "2030-01-02T03:04:05.000Z")

        let behind = try await control.control(.put, "clock", #"{"offsetSeconds":-60}"#)
        #expect(behind.string("instant") == LocalMerchant.instant.advanced(byMilliseconds: -60_000).description)
        #expect(behind["offsetMilliseconds"] == -60_000)
        #expect(try await control.control(.put, "clock", "null")["offsetMilliseconds"] == 0)
        #expect(try await control.control(.get, "clock").string("instant") == LocalMerchant.instant.description)
        #expect(control.machine.notedOffsets.count == 3)
        #expect(control.machine.notedOffsets.last == 0)
    }

    @Test func `a clock that was set when it started goes back to that`() {
        let clock = SettableClock(machine: { LocalMerchant.instant }, offsetMilliseconds: 5000)
        #expect(clock.now() == LocalMerchant.instant.advanced(byMilliseconds: 5000))
    }

    @Test(arguments: [
        ("", "400 -"), ("{}", "400 -"), ("[]", "400 -"), ("1", "400 -"), (#"{"instant":"now"}"#, "400 instant"),
        (#"{"instant":1}"#, "400 instant"), (#"{"instant":"1999-12-31T23:59:59Z"}"#, "400 instant"),
        (#"{"instant":"9999-01-01T00:00:00Z"}"#, "400 instant"), (#"{"offsetSeconds":"1"}"#, "400 offsetSeconds"),
        (#"{"offsetSeconds":1.5}"#, "400 offsetSeconds"),
        (#"{"offsetSeconds":9223372036854775807}"#, "400 offsetSeconds"),
        (#"{"offsetSeconds":-1000000000}"#, "400 offsetSeconds"),
        (#"{"offsetSeconds":252000000000}"#, "400 offsetSeconds"),
        (#"{"instant":"2030-01-01T00:00:00Z","offsetSeconds":1}"#, "400 -"), (#"{"instnat":"now"}"#, "400 instnat"),
    ])
    func `a clock is not set to what it can't show`(body: String, refusal: String) async throws {
        let control = try TestControl()
        #expect(try await control.control(.put, "clock", body).refusal == refusal)
        #expect(control.clock.offsetMilliseconds == 0)
        #expect(control.machine.notedOffsets == [])
    }

    @Test func `the same seed gives the same numbers, another one others`() async throws {
        func numbers(_ seed: Int) async throws -> [String] {
            let control = try TestControl()
            #expect(try await control.control(.put, "seed", #"{"seed":\#(seed)}"#)["seed"] == .number(JSONNumber(seed)))
            var texts: [String] = []
            for transaction in ["1", "2"] {
                let reply = try #require(await control.pay(transaction, order: "order-\(transaction)"))
                texts.append(reply.text)
            }
            return texts
        }
        let first = try await numbers(1)
        #expect(try await numbers(1) == first)
        #expect(try await numbers(2) != first)
    }

    @Test func `a seed's numbers are the same in a gateway that has just started`() async throws {
        func secondAttempt(afterRestart: Bool) async throws -> String {
            let store = InMemoryStore()
            var control = try TestControl(store: store)
            _ = try await control.control(.put, "seed", #"{"seed":1}"#)
            #expect(await control.pay("1", amount: "5757.00")?.string("response.gatewayCode") == "DECLINED")
            if afterRestart { control = try TestControl(store: store) }
            _ = try await control.control(.put, "seed", #"{"seed":7}"#)
            return try #require(await control.pay("2")).text
        }
        #expect(try await secondAttempt(afterRestart: true) == secondAttempt(afterRestart: false))
    }

    @Test func `without a seed numbers are random again`() {
        let generator = ReferenceGenerator()
        func numbers(_ seed: UInt64?) -> [Int] {
            generator.seed(seed)
            return (0..<32).map { _ in generator.next(in: 1...999_999) }
        }
        let seeded = numbers(5)
        #expect(numbers(5) == seeded)
        #expect(numbers(nil) != seeded)
        #expect(numbers(nil) != numbers(nil))
        #expect(seeded.allSatisfy { (1...999_999).contains($0) })
    }

    @Test(arguments: [
        ("", "400 -"), ("{}", "400 seed"), (#"{"seed":-1}"#, "400 seed"), (#"{"seed":"1"}"#, "400 seed"),
        (#"{"seed":1.0}"#, "400 seed"), (#"{"seed":9223372036854775808}"#, "400 seed"), (#"{"sed":1}"#, "400 sed"),
    ])
    func `a seed is a number`(body: String, refusal: String) async throws {
        #expect(try await TestControl().control(.put, "seed", body).refusal == refusal)
    }
}
