import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireAccount, saveAccount } from '../../../src/payments/accounts/accounts.ts'
import { insertProviderCustomer } from '../../../src/payments/accounts/accounts.queries.ts'
import { addMs } from '../../../src/kit/clock.ts'
import { SENDABLE_MS } from '../../../src/payments/attempts/transition.rules.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { upsertMethod } from '../../../src/payments/methods/stored-methods.queries.ts'
import { type PaymentsDeps, transactAsReseller } from '../../../src/payments/payments-deps.ts'
import type { KnownMethod } from '../../../src/payments/providers/method.ts'
import type { Answer } from '../../support/http-client.ts'
import { runCommand } from '../../support/operator.ts'
import { attemptsOf } from '../attempts-of.ts'
import { PAUSE_STEPS, type PausedProvider } from '../paused-provider.ts'
import { addPayingCustomer, type PayingCustomer, type PaymentsFixture, returnToNow } from '../payments-fixture.ts'
import type { ProviderDriver } from './provider-driver.ts'

/** When an unknown outcome is looked up, in minutes: past the time after which finding nothing is final everywhere. */
const LOOK_UPS_MINUTES = [3, 6, 16, 66, 200, 800, 1_500]

/**
 * The tests of what happens between claim and call, which every provider must pass through the engine.
 * @param paused the driver's adapter, as the fixture has it
 */
export const testFencing = (
  fixture: PaymentsFixture,
  { name, type, currency, adapter: { settings } }: ProviderDriver,
  { paused, storeCard }: { paused: PausedProvider; storeCard: () => Promise<KnownMethod> },
): void => {
  const { context, payments, sandbox } = fixture
  const { provider } = paused
  let payer: PayingCustomer
  let methodId = ''
  let folder = ''

  const addInvoice = async (): Promise<{ id: number; key: string }> => {
    const key = `FENCE-${randomUUID().slice(0, 8)}`
    return { id: await payer.invoice({ external_id: key, number: key, currency }), key }
  }
  const pay = async (invoice: number): Promise<Answer> => payer.pay(await payer.intent(invoice), { cardId: methodId })
  const countCharges = async (invoice: number): Promise<number> => {
    const refs = new Set((await attemptsOf(context, invoice)).map(({ merchantReference }) => merchantReference))
    return (await sandbox.ledger()).filter(({ reference, status }) => refs.has(reference) && status === 'succeeded').length
  }
  /** Another server looks up what is due, as time goes by. */
  const lookUpUntilFinal = async (): Promise<void> => {
    for (const minutes of LOOK_UPS_MINUTES) {
      context.advance(minutes * 60_000)
      await sweepAttempts(payments)
    }
  }
  const importInvoice = async (key: string, amountDue: string, status: string): Promise<void> => {
    const path = join(folder, `${key}.csv`)
    const row = [payer.customerId, key, key, '100.00', '110.00', amountDue, '2026-11-01', '2099-12-31', status].join(',')
    await writeFile(path, `customer,externalId,number,netAmount,amount,amountDue,dateInvoice,dateDue,status\n${row}\n`)
    const result = await runCommand(context, 'import', 'invoices', path, '--reseller', String(payer.resellerId))
    expect(result.exit, result.err).toBe(0)
  }

  describe('between claim and call', () => {
    beforeAll(async () => {
      returnToNow(fixture)
      payer = await addPayingCustomer(fixture, { payment_type: type, currency })
      await saveAccount(payments, { resellerId: payer.resellerId, provider: name, baseUrl: `${sandbox.url}/${name}`, settings })
      const account = await requireAccount(payments, payer.resellerId)
      const { providerCustomerId, ...method } = await storeCard()
      await transactAsReseller(payments, payer.resellerId, async (db) => {
        if (providerCustomerId !== null) await insertProviderCustomer(db, payer, account.id, providerCustomerId)
        const stored = { ...method, id: randomUUID(), type: 'card', status: 'ready', addedAt: context.clock() } as const
        methodId = await upsertMethod(db, payer, account.id, stored)
      })
      folder = await mkdtemp(join(tmpdir(), 'counterfoil-fence-'))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test('a payment through the engine is charged once', async () => {
      const { id } = await addInvoice()
      const answer = await pay(id)
      expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
      expect(await countCharges(id)).toBe(1)
    })

    test.each(PAUSE_STEPS)(
      'a server that stood still %s charges nothing once another one has given the payment up and been paid',
      async (step) => {
        const { id } = await addInvoice()
        const meanwhile: Answer[] = []
        // Where finding nothing proves nothing, the invoice waits for the first server.
        const isGivenUp = provider.notFoundMeansUnpaidAfterMs !== null
        paused.pauseAt(step, async () => {
          await lookUpUntilFinal()
          if (isGivenUp) meanwhile.push(await pay(id))
        })
        const answer = await pay(id)
        if (!isGivenUp) meanwhile.push(await pay(id))
        expect(meanwhile.at(-1)?.json(), meanwhile.at(-1)?.body).toMatchObject({ status: 'succeeded' })
        expect(answer.json()).not.toMatchObject({ status: 'succeeded' })
        expect(await countCharges(id)).toBe(1)
      },
    )

    test('an attempt that another server, whose clock is ahead, has settled meanwhile is not charged', async () => {
      const { id } = await addInvoice()
      let aheadMs = 0
      const ahead: PaymentsDeps = { ...payments, clock: () => addMs(context.clock(), aheadMs) }
      paused.pauseAt('before the fence', async () => {
        for (const minutes of LOOK_UPS_MINUTES) {
          aheadMs += minutes * 60_000
          await sweepAttempts(ahead)
        }
      })
      expect((await pay(id)).json()).not.toMatchObject({ status: 'succeeded' })
      expect(await countCharges(id)).toBe(0)
      expect((await pay(id)).json()).toMatchObject({ status: 'succeeded' })
    })

    test.each(PAUSE_STEPS)('a server that stood still %s until it is too late sends nothing, and says so', async (step) => {
      const { id } = await addInvoice()
      paused.pauseAt(step, async () => context.advance(SENDABLE_MS))
      expect((await pay(id)).json()).toMatchObject({ code: 'payment_not_sent' })
      expect(await attemptsOf(context, id)).toMatchObject([{ status: 'not_sent' }])
      expect(await countCharges(id)).toBe(0)
    })

    test.each([
      ['lowered', '60.00', 'open'],
      ['paid', '0.00', 'paid'],
    ])('an invoice that an import says is %s is not charged, and the payer is told', async (_, amountDue, status) => {
      const { id, key } = await addInvoice()
      paused.pauseAt('before the fence', () => importInvoice(key, amountDue, status))
      const answer = await pay(id)
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'amount_changed'])
      expect(await attemptsOf(context, id)).toMatchObject([{ status: 'not_sent' }])
      expect(await countCharges(id)).toBe(0)
    })
  })
}
