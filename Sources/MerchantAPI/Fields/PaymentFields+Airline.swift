extension PaymentFields {
    /// An airline's details of a booking; the gateway only passes them on.
    static let airline: [RequestFields.Row] =
        [
            .echoed("airline.bookingReference", .pattern(6...15, .alphanumeric)),
            .echoed("airline.documentType", .text(1...60)),
            .echoed("airline.itinerary.numberInParty", .pattern(1...3, .digits)),
            .echoed("airline.itinerary.originCountry", .pattern(3...3, .alphabeticCode)),
            .echoed("airline.passenger[].firstName", .text(1...50)),
            .echoed("airline.passenger[].frequentFlyerNumber", .text(1...20)),
            .echoed("airline.passenger[].lastName", .text(1...20)),
            .echoed("airline.passenger[].middleName", .text(1...50)),
            .echoed("airline.passenger[].specificInformation", .pattern(1...59, .alphanumeric)),
            .echoed("airline.passenger[].title", .text(1...20)),
            .echoed("airline.planNumber", .pattern(2...2, .alphanumeric)),
            .echoed(
                "airline.transactionType",
                .enumeration(["EXCHANGE_TICKET", "MISCELLANEOUS_CHARGE", "REFUND", "TOUR_ORDER"])),
        ] + leg("airline.itinerary.leg[]") + ticket("airline.ticket")

    private static func leg(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".carrierCode", .pattern(2...6, .carrierCode)),
            .echoed(path + ".conjunctionTicketNumber", .pattern(11...16, .alphanumeric)),
            .echoed(path + ".couponNumber", .pattern(1...1, .alphanumeric)),
            .echoed(path + ".departureAirport", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".departureDate", .pattern(10...10, .date)),
            .echoed(path + ".departureTax", .amount),
            .echoed(path + ".departureTime", .pattern(6...14, .time)),
            .echoed(path + ".destinationAirport", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".destinationArrivalDate", .pattern(10...10, .date)),
            .echoed(path + ".destinationArrivalTime", .pattern(6...14, .time)),
            .echoed(path + ".endorsementsRestrictions", .pattern(1...20, .alphanumeric)),
            .echoed(path + ".exchangeTicketNumber", .pattern(11...16, .alphanumeric)),
            .echoed(path + ".fare", .amount),
            .echoed(path + ".fareBasis", .text(1...24)),
            .echoed(path + ".fees", .amount),
            .echoed(path + ".flightNumber", .pattern(4...6, .alphanumeric)),
            .echoed(path + ".stopoverPermitted", .boolean),
            .echoed(path + ".taxes", .amount),
            .echoed(path + ".travelClass", .pattern(1...3, .alphanumeric)),
        ]
    }

    private static func ticket(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".conjunctionTicketIndicator", .boolean),
            .echoed(path + ".eTicket", .boolean),
            .echoed(path + ".exchangedTicketNumber", .pattern(11...16, .alphanumeric)),
            .echoed(path + ".issue.address", .text(1...16)),
            .echoed(path + ".issue.carrierCode", .pattern(2...6, .carrierCode)),
            .echoed(path + ".issue.carrierName", .pattern(1...25, .alphanumeric)),
            .echoed(path + ".issue.city", .text(1...100)),
            .echoed(path + ".issue.country", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".issue.date", .pattern(10...10, .date)),
            .echoed(path + ".issue.travelAgentCode", .pattern(8...9, .alphanumeric)),
            .echoed(path + ".issue.travelAgentName", .text(1...30)),
            .echoed(path + ".restricted", .boolean),
            .echoed(path + ".taxOrFee[].amount", .amount),
            .echoed(path + ".taxOrFee[].type", .pattern(3...3, .alphanumeric)),
            .echoed(path + ".ticketNumber", .pattern(11...16, .alphanumeric)),
            .echoed(path + ".totalFare", .amount),
            .echoed(path + ".totalFees", .amount),
            .echoed(path + ".totalTaxes", .amount),
        ]
    }
}
