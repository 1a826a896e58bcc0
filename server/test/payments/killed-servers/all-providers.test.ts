import { expect, inject, onTestFinished, test } from 'vitest'
import { type TestSandbox, testSandbox, WEBHOOK_SECRET } from '../sandbox.ts'
import { runKilledPair } from './killed-pair.ts'
import { compareWithSandbox, serverSettings, settleOutcomes, withContext } from './killed-servers.ts'
import { createPurchases, type Purchase, PurchaseClient, type PurchaseEnd } from './mixed-payers.ts'
import { openRelay } from './relay.ts'
import { createServerLocation } from './server-location.queries.ts'
import { WEBHOOK_KEY } from '../providers/provider-driver.ts'
import { PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const payments = Number(process.env['KILL_PAYMENTS'] ?? 28)
const PAYERS_AT_ONCE = 6

/** The stand-ins send their webhooks through the relay. */
const webhookSettings = (url: string): Record<string, string> => ({
  SANDBOX_STRIPE_WEBHOOK: `${url}/hooks/stripe/{account}`,
  SANDBOX_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  SANDBOX_AUTHORIZE_WEBHOOK: `${url}/hooks/authorize/{account}`,
  SANDBOX_AUTHORIZE_WEBHOOK_KEY: WEBHOOK_KEY,
  SANDBOX_NEXIO_WEBHOOK: `${url}/hooks/nexio/{account}`,
  SANDBOX_NEXIO_WEBHOOK_SECRET: WEBHOOK_KEY,
})

const completeAll = async (client: PurchaseClient, purchases: Purchase[], ends: Record<PurchaseEnd, number>): Promise<void> => {
  const work = async (): Promise<void> => {
    for (let purchase = purchases.shift(); purchase !== undefined; purchase = purchases.shift()) ends[await client.complete(purchase)] += 1
  }
  await Promise.all(Array.from({ length: PAYERS_AT_ONCE }, work))
}

/** The banks settle the debits that are on their way; every eighth has nothing behind it. */
const settleDebits = async (sandbox: TestSandbox): Promise<void> => {
  const pending = (await sandbox.ledger()).filter(({ status }) => status === 'pending')
  for (const [at, { provider, id }] of pending.entries())
    await fetch(`${sandbox.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider, id, outcome: at % 8 === 7 ? 'failed' : 'succeeded' }),
    })
}

test.runIf(inject('testDatabase').kind === 'postgres')(
  `[PAY-01] ${payments} payments through every provider at once, on two servers that are killed every few seconds, with webhooks lost, doubled and late`,
  async () => {
    const relay = await openRelay()
    const sandbox = await testSandbox(webhookSettings(relay.url))
    onTestFinished(() => sandbox.close())
    const settings = serverSettings(await createServerLocation())
    const begun = performance.now()
    const purchases = await withContext(settings, (context) => createPurchases(context, sandbox, payments))
    const ends = { paid: 0, refused: 0, 'given up': 0 }
    const kills = await runKilledPair(settings, relay, () => completeAll(new PurchaseClient(relay.url, sandbox), purchases, ends))
    await settleDebits(sandbox)
    const counts = await withContext(settings, async (context) => {
      await settleOutcomes(context)
      return compareWithSandbox(context, sandbox)
    })
    const byProvider = Object.fromEntries(PROVIDER_DRIVERS.map(({ name }) => [name, 0]))
    for (const { provider, status } of await sandbox.ledger())
      if (status === 'succeeded') byProvider[provider] = (byProvider[provider] ?? 0) + 1
    const seconds = Math.round((performance.now() - begun) / 1_000)
    console.log(
      `every provider: ${JSON.stringify({ payments, kills, ...ends, webhooks: relay.webhooks, ...counts, byProvider })} in ${seconds} s`,
    )
    expect(counts).toMatchObject({ double: 0, lost: 0, stuck: 0 })
    expect(Object.values(byProvider).every((count) => count > 0)).toBe(true)
  },
  7_200_000,
)
