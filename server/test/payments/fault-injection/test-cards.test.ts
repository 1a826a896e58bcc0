import { expect, test } from 'vitest'
import { payByLink, type PayingCustomer, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { linkPageOf } from './link-page.ts'
import type { TypedDetails, ProviderDriver } from '../providers/provider-driver.ts'
import { addPayerAt, findDriver } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '500' })

/** A card or an amount that a provider's documents list, and what comes of it. */
interface TestValue {
  readonly card?: TypedDetails
  /** In cents. */
  readonly amount?: number
  /** What the payer reads: `paid`, `processing`, or why not. */
  readonly outcome: string
}

const AMOUNT = 11_000

const cards = (outcome: string, ...numbers: string[]): TestValue[] => numbers.map((number) => ({ card: { number }, outcome }))
const codes = (outcome: string, ...all: string[]): TestValue[] => all.map((code) => ({ card: { code }, outcome }))
const zips = (outcome: string, ...all: string[]): TestValue[] => all.map((zip) => ({ card: { zip }, outcome }))
const amounts = (outcome: string, ...all: number[]): TestValue[] => all.map((amount) => ({ amount, outcome }))
/** Whole dollars, and the cents that choose the result. */
const cents = (outcome: string, dollars: number, list: string): TestValue[] =>
  amounts(outcome, ...list.split(' ').map((two) => dollars * 100 + Number(two)))

const DECLINED = 'The payment was declined. Please use another payment method, or ask your bank.'
const EXPIRED = 'The card has expired. Please use another card.'
const WRONG_CODE = 'The security code of the card is not right. Please check it.'
const POOR = 'The account has not enough funds. Please use another payment method.'
const UNUSABLE = 'This payment method cannot be used any more. Please use another one.'

const YOUR_DECLINED = 'Your card was declined.'
const YOUR_EXPIRED = 'Your card has expired, or its expiry date is incorrect.'
const YOUR_WRONG_CODE = 'The security code of your card is incorrect.'
const YOUR_POOR = 'Your card has insufficient funds.'
const NO_BANK = 'Your bank could not be reached. Please try again later.'

/**
 * The test values of each provider's documents (and, where they list none, those of its stand-in): every card and code, and of the amounts
 * one for each answer.
 */
const TEST_VALUES: Readonly<Record<string, readonly TestValue[]>> = {
  authorize: [
    ...cards('paid', '6011000000000012', '3088000000000017', '38000000000006', '4007000000027', '4012888818888', '4111111111111111'),
    ...cards('paid', '5424000000000015', '2223000010309703', '2223000010309711'),
    { card: { number: '370000000000002', code: '7391' }, outcome: 'paid' },
    // What the issuer finds of the address or the code declines nothing by itself.
    ...zips('paid', '46201', '46205', '46211'),
    ...codes('paid', '900', '901', '902', '903', '904'),
    ...zips('This transaction has been declined.', '46282'),
    ...zips('processing', '46298'),
  ],
  moneris: [
    ...cards('paid', '5454545454545454', '4242424242424242', '4005554444444403', '36462462742008', '4761739012345637'),
    { card: { number: '373599005095005', code: '7391' }, outcome: 'paid' },
    ...cents('paid', 2, '00 08 23 91 98'),
    ...cents(YOUR_DECLINED, 2, '01 03 04 05 06 09'),
    ...cents(YOUR_EXPIRED, 2, '02 54'),
    ...cents(YOUR_WRONG_CODE, 2, '20'),
    ...cents(NO_BANK, 2, '68'),
    ...amounts(YOUR_DECLINED, 5_100),
    ...amounts(YOUR_EXPIRED, 12_000),
    // What the issuer finds of the address and the code declines by some amounts alone.
    ...amounts('paid', 1_017, 1_032, 1_034),
    ...amounts(YOUR_DECLINED, 1_024, 1_035, 1_037),
  ],
  ippay: [
    ...cards('paid', '4000300020001000', '4111111111111111', '5454545454545454'),
    ...cents('paid', 110, '08 27 45 60 99'),
    ...amounts('paid', 4_995, 300),
    ...cents(YOUR_DECLINED, 110, '01 02 04 05 41 62'),
    ...cents(YOUR_POOR, 110, '51 61'),
    ...cents(YOUR_EXPIRED, 110, '54'),
    ...cents(YOUR_WRONG_CODE, 110, '82'),
    ...cents(NO_BANK, 110, '91 92'),
  ],
  pinch: [
    ...cards('paid', '4242424242424242', '4000000360000006', '4012888888881881', '378282246310005', '4111111111111111'),
    ...cards('paid', '5105105105105100', '4000005540000008', '371449635398431', '4000056655665556', '5200828282828210'),
    ...cards('paid', '5555555555554444'),
    ...cents(DECLINED, 110, '05'),
    ...cents(POOR, 110, '51'),
    ...cents('This payment method cannot be used. Please check its details, or use another one.', 110, '54'),
    ...cents('The payment could not be made. Please try again later.', 110, '91 97'),
  ],
  nexio: [
    ...cards('paid', '4111111111111111', '4242424242424242'),
    ...codes(WRONG_CODE, '999'),
    ...cents(DECLINED, 110, '05'),
    ...cents(POOR, 110, '51'),
    ...cents(EXPIRED, 110, '54'),
    // The gateway had no answer in time (408).
    ...cents('processing', 110, '08'),
  ],
  bpoint: [
    ...cards('paid', '5123456789012346', '2720010040360012', '4987654321098769', '345678901234564', '30123456789019'),
    ...cards('paid', '3530111333300000'),
    ...codes(WRONG_CODE, '987'),
    ...codes('paid', '876', '765'),
    ...cents('paid', 110, '00 08 16'),
    ...cents(DECLINED, 110, '01 04 05 34 43 77'),
    ...cents(POOR, 110, '51'),
    ...cents(EXPIRED, 110, '33 54'),
    ...cents(UNUSABLE, 110, '14'),
    ...cents('processing', 110, '68'),
    // Answered after 50 seconds.
    ...amounts('processing', 11_199),
  ],
}

/** A provider whose stand-in heeds test values in the test mode of an account alone. */
const inTestMode = (provider: ProviderDriver): ProviderDriver =>
  provider.name === 'bpoint' ? { ...provider, settings: (id) => ({ ...provider.settings(id), testMode: true }) } : provider

const connect = (provider: ProviderDriver): Promise<PayingCustomer> => addPayerAt(fixture, inTestMode(provider))

/** What is wrong after a payment with a test value; undefined when nothing is. */
const problemAfter = async (provider: ProviderDriver, payer: PayingCustomer, { card = {}, amount = AMOUNT, outcome }: TestValue) => {
  fixture.context.advance(1_000)
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  const invoice = await payer.invoice({ currency: provider.currency, net_minor: amount, amount_minor: amount, amount_due_minor: amount })
  const booked = async () => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length
  const before = await booked()
  const typed = await provider.cardFields(await linkPageOf(fixture, payer, invoice), card)
  const body = { invoiceAmount: (amount / 100).toFixed(2), cardToken: undefined, email: 'ada@payer.example', ...typed }
  const answer = (await payByLink(fixture, invoice, '', body)).json<{ status: string; userMessage?: string }>()
  const charges = (await booked()) - before
  const { invoiceStatus, canPay } = await payer.readInvoice(invoice)
  const said = answer.userMessage ?? (answer.status === 'succeeded' ? 'paid' : answer.status)
  const isRight =
    said === outcome &&
    (outcome === 'paid' ? charges === 1 && invoiceStatus === 11 : invoiceStatus !== 11) &&
    (outcome === 'paid' || outcome === 'processing' ? !canPay : canPay && charges === 0)
  return isRight ? undefined : { ...card, amount, outcome, said, charges, invoiceStatus, canPay }
}

test.each(Object.keys(TEST_VALUES).map(findDriver))(
  '[SP-04] [PAY-01] type $type, $name: every listed test card pays, and every listed trigger waits or is declined in its words',
  async (provider) => {
    const payer = await connect(provider)
    const problems: object[] = []
    for (const value of TEST_VALUES[provider.name] ?? []) {
      const problem = await problemAfter(provider, payer, value)
      if (problem !== undefined) problems.push(problem)
    }
    expect(problems).toEqual([])
    await runWorkerAfter(fixture, 60_000)
  },
)
