import { type Static, type TSchema, Type } from 'typebox'
import { addMs } from '../../../kit/clock.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import { callNexio, describeAnswer, type NexioContext } from './nexio-client.ts'
import { toMoney } from './nexio-codec.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE = 100
const MAX_PAGES = 100

const Nullish = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const TextOrNumber = Type.Union([Type.String(), Type.Number()])

const WireChargeback = Type.Object({
  id: TextOrNumber,
  transactionId: Nullish(TextOrNumber),
  amount: Type.Number(),
  chargebackCycle: Type.Integer(),
  createdAt: Nullish(Type.String()),
})
type Chargeback = Static<typeof WireChargeback>

const WirePage = Type.Object({ rows: Type.Array(Type.Unknown()) })

/**
 * The chargebacks from the day before `from` to the day after `to` (docs.nexiopay.com, "View chargebacks"): nothing is cut to the instants.
 * @throws Error when Nexio does not answer properly, or lists more than `MAX_PAGES` pages
 */
export const listChargebacks = async (context: NexioContext, from: Date, to: Date): Promise<Chargeback[]> => {
  const found: Chargeback[] = []
  // Nexio's days are not said to be those of UTC.
  const days = { startDate: dayOf(addMs(from, -DAY_MS)), endDate: dayOf(addMs(to, DAY_MS)) }
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ ...days, limit: String(PAGE_SIZE), offset: String(page * PAGE_SIZE) }).toString()
    const answer = await callNexio(context, { method: 'GET', path: `/chargeback/v3?${query}` })
    if (answer.status !== 200 || !matchesSchema(WirePage, answer.body)) throw new Error(describeAnswer(answer))
    for (const row of answer.body.rows) {
      if (!matchesSchema(WireChargeback, row)) throw new Error('nexio listed a chargeback in an unknown format')
      found.push(row)
    }
    if (answer.body.rows.length < PAGE_SIZE) return found
  }
  throw new Error('nexio lists too many chargebacks')
}

/** The day of an instant in UTC: YYYY-MM-DD. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Nexio's number of the payment that a chargeback takes back; null where it names none. */
export const chargedBackNumber = ({ transactionId }: Chargeback): string | null => (transactionId ? String(transactionId) : null)

/** The cycles in which the money is back: the dispute was cancelled, or won. */
const BACK_CYCLES: ReadonlySet<number> = new Set([0, 2])

/** What banks have taken back of a payment, in minor units: its newest chargeback decides. A positive amount flows back to the merchant. */
export const chargedBackMinor = (chargebacks: readonly Chargeback[], transactionNumber: string, currency: string): bigint => {
  const [newest] = chargebacks
    .filter((one) => chargedBackNumber(one) === transactionNumber)
    .toSorted((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? '') || Number(b.id) - Number(a.id))
  if (newest === undefined || newest.amount > 0 || BACK_CYCLES.has(newest.chargebackCycle)) return 0n
  return toMoney(-newest.amount, currency)?.minor ?? 0n
}
