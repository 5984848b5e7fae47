import Testing

@testable import tollgate_bench

/// What is read from a file that callgrind wrote, here by hand.
struct CallgrindProfileTests {
    private static let head = """
        # callgrind format
        version: 1
        creator: callgrind-3.19.0
        cmd:  tollgate serve
        part: 1

        desc: Trigger: Program termination

        positions: line
        events: Ir sysCount sysTime
        summary: 190 2 7


        """

    private static let body = """
        ob=(1) /opt/tollgate
        fl=(1) ???
        fn=(1) $s4HTTP5parseyyF
        16 100
        +3 20 1 4
        cob=(2) /usr/lib/libc.so.6
        cfi=(2) malloc.c
        cfn=(2) malloc
        calls=7 30
        -2 4000 9 9
        cfn=(3) $s4HTTP4readyyF
        calls=2 0
        * 50
        fi=(3) Inlined.swift
        * 5

        fn=(3)
        0 25

        ob=(2)
        fl=(2)
        fn=(2)
        30 30 1 3
        cfn=(2)
        calls=1 30
        30 30
        fn=plain name
        1 10

        """

    private static func profile(_ text: String) throws(CallgrindProfile.Malformed) -> CallgrindProfile {
        try CallgrindProfile(Array(text.utf8))
    }

    private static func fault(_ text: String) -> String? {
        do throws(CallgrindProfile.Malformed) {
            _ = try profile(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a function has its own costs, and the calls from everywhere`() throws {
        let costs = try Self.profile(Self.head + Self.body + "totals: 190 2 7\n").costs
        #expect(
            costs == [
                .init(object: "/opt/tollgate", name: "$s4HTTP5parseyyF"): .init(instructions: 125, systemCalls: 1),
                .init(object: "/opt/tollgate", name: "$s4HTTP4readyyF"): .init(instructions: 25, calls: 2),
                .init(object: "/usr/lib/libc.so.6", name: "malloc"):
                    .init(instructions: 30, systemCalls: 1, calls: 8),
                .init(object: "/usr/lib/libc.so.6", name: "plain name"): .init(instructions: 10),
            ])
    }

    @Test func `positions may have an address beside the line`() throws {
        let text = """
            positions: instr line
            events: Cycles Ir
            fn=main
            0x1f00 12 9 3
            +4 * 9 4
            totals: 18 7
            """
        #expect(try Self.profile(text).costs == [.init(object: "???", name: "main"): .init(instructions: 7)])
    }

    @Test func `a file that was cut is refused`() {
        #expect(Self.fault(Self.head + Self.body) == "the file has no totals: the program was killed")
        #expect(Self.fault("") == "the file has no totals: the program was killed")
        #expect(
            Self.fault(Self.head + Self.body.dropLast(6) + "\ntotals: 190 2 7\n")
                == "the functions' 180 instructions are not the file's total, 190")
    }

    @Test(arguments: [
        ("fn=(9)\n", "no name was given for (9)"), ("1 2\n", "a cost of no function or no events: 1 2"),
        ("calls=1 2\n", "a call of no function: calls=1 2"), ("fn=a\n1 x\n", "not a cost: 1 x"),
        ("cfn=a\ncalls=x 2\n", "a call of no function: calls=x 2"),
    ])
    func `a line that the format does not know there is refused`(lines: String, fault: String) {
        #expect(Self.fault(Self.head + lines) == fault)
    }

    @Test func `a file without instructions is refused`() {
        #expect(Self.fault("events: Cycles\ntotals: 1\n") == "no event is Ir")
    }
}
