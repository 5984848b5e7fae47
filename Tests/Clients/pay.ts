// Pays with the generated client that it is copied into: node pay.js URL MERCHANT PASSWORD.
import { AuthorizeRequest, Configuration, ControlApi, OrderApi, TransactionApi, TransactionReply } from "./index";

declare const process: { argv: string[]; exit(status: number): never };
declare const console: { error(...values: unknown[]): void };

const [url, merchantId, password] = process.argv.slice(2);
const configuration = new Configuration({ basePath: url, username: `merchant.${merchantId}`, password });
const transactions = new TransactionApi(configuration);

function expect(what: string, found: unknown, expected: unknown): void {
    if (found !== expected) throw new Error(`${what} is ${String(found)} instead of ${String(expected)}`);
}

async function authorize(orderId: string, request: AuthorizeRequest): Promise<TransactionReply> {
    const reply = await transactions.transact({
        version: 100, merchantId, orderId, transactionId: "1", transactionRequest: { ...request, apiOperation: "AUTHORIZE" },
    });
    expect(`AUTHORIZE by ${orderId}`, reply.response.gatewayCode, "APPROVED");
    expect(`its status by ${orderId}`, reply.order.status, "AUTHORIZED");
    return reply;
}

async function pay(): Promise<void> {
    const order = { amount: "5656.00", currency: "USD" };
    const token = await new ControlApi(configuration).mintToken({ mintRequest: order });
    await authorize("token", {
        apiOperation: "AUTHORIZE",
        order: { ...order, walletProvider: "APPLE_PAY" },
        sourceOfFunds: { type: "CARD", provided: { card: { devicePayment: { paymentToken: token.paymentToken } } } },
    });
    const card = await authorize("card", {
        apiOperation: "AUTHORIZE",
        order,
        sourceOfFunds: {
            type: "CARD",
            provided: { card: { number: "5123450000000008", expiry: { month: "01", year: "39" }, securityCode: "100" } },
        },
    });
    expect("the card", card.sourceOfFunds.provided.card.number, "512345xxxxxx0008");
    const kept = await new OrderApi(configuration).retrieveOrder({ version: 100, merchantId, orderId: "token" });
    expect("the order's amount", kept.amount, 5656);
}

pay().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
});
