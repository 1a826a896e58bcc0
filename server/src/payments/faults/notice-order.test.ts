import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { later } from '../../kit/clock.ts'
import { accountOf } from '../accounts.ts'
import { charge } from '../charge.ts'
import { processNotices, receiveNotice } from '../notices.ts'
import { asReseller } from '../payments-house.ts'
import { beginPayment } from './books.queries.ts'
import { compareBooks } from './books.ts'
import { Company, SECRET } from './company.ts'
import { ServerProcess } from './dying-server.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultHouse, faultHouse, runsOf } from './fault-house.ts'

/** On the server it is the races that differ. */
const RUNS = runsOf(inject('testDatabase').kind === 'embedded' ? 60 : 30)
const DAY = 86_400_000

let bench: FaultHouse

beforeAll(async () => {
  bench = await faultHouse()
})
afterAll(() => bench.house.close())

/** A payment as the company's behaviour has it, and the payments' part of a server. */
const begun = async (behaviour: FaultCase['company']) => {
  const { house, payer } = bench
  const one: FaultCase = { company: behaviour, client: 'once', notices: 'normal', shape: 'two steps', crash: null }
  const company = new Company(one, house.clock)
  const provider = company.provider(new ServerProcess(null))
  const payments = { ...house, companies: () => provider, mailQueued: () => undefined }
  const id = randomUUID()
  const now = house.clock()
  const invoiceNumbers = [`NOTICE-${id}`]
  const wish = { payer, invoiceNumbers, minor: 11_000, intents: [{ id, invoices: [0] }], now, expiresAt: later(now, DAY) }
  const invoiceIds = await asReseller(payments, payer.resellerId, (db) => beginPayment(db, wish))
  const account = await accountOf(payments, payer.resellerId)
  if (account === null) throw new Error('the company is not connected')
  const order = { intentId: id, by: { token: 'a card' }, methodId: null, methodType: 'card', isDebit: behaviour.endsWith('later') }
  const attempt = await charge(payments, account, payer, { ...order, submitKey: null, receiptEmail: null, returnUrl: null, payer: null })
  return { one, company, payments, attempt, intentIds: [id], invoiceIds }
}

const behaviours = fc.constantFrom<FaultCase['company'][]>(
  'ok',
  'declined',
  'settles later',
  'fails later',
  'taken back later',
  'garbage',
  'error, charged',
)
const KINDS = ['processing', 'paid', 'declined', 'failed', 'taken back', 'refunded', 'cancelled']
/** Notices in any order, some twice, some never, and a day that passes now and then. */
const history = fc.array(fc.oneof(fc.nat({ max: KINDS.length - 1 }), fc.constant('a day' as const)), { maxLength: 14 })

test('[PAY-01] whichever notices come, in whatever order and however often, the payment ends as the company has it', async () => {
  await fc.assert(
    fc.asyncProperty(behaviours, history, async (behaviour, events) => {
      const { house, payer } = bench
      const { one, company, payments, attempt, intentIds, invoiceIds } = await begun(behaviour)
      const from = { provider: 'bpoint', resellerId: payer.resellerId }
      const bring = (eventId: string, kind: string): Promise<void> => {
        const notice = { eventId: `${attempt.id} ${eventId}`, kind, about: 'payment', attemptId: attempt.id }
        return receiveNotice(payments, from, { headers: { signature: SECRET }, raw: JSON.stringify(notice) })
      }
      for (const event of events) {
        if (event === 'a day') {
          house.advance(DAY)
          company.passTime()
        } else await bring(`${event}`, KINDS[event] ?? '')
        await Promise.all([processNotices(payments), processNotices(payments)])
      }
      house.advance(4 * DAY)
      company.passTime()
      await Promise.all([bring('last', 'processing'), bring('last', 'processing')])
      await Promise.all([processNotices(payments), processNotices(payments)])
      const verdict = await compareBooks(payments, payer, { one, company, intentIds, invoiceIds, told: [] })
      await bench.swept()
      expect(verdict).toEqual({ wrong: [], double: 0, lost: 0, stuck: 0 })
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
