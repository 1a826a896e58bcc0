import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import { buildApp } from '../../../src/app.ts'
import type { AppContext } from '../../../src/context.ts'
import { clientFor, PORTAL, signInAs } from '../../support/http-client.ts'
import { addInvoice, addTenant, listPaymentLinks, PASSWORD, type TestPerson } from '../../support/people.ts'
import type { TestSandbox } from '../sandbox.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'
import { connectReseller, PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const WAYS = ['new card', 'card', 'bank'] as const
type Way = (typeof WAYS)[number]

/** A customer of a reseller with one provider, and the methods that it has stored. */
interface MixedPayer {
  readonly provider: ProviderDriver
  readonly resellerId: number
  readonly customerId: number
  readonly person: TestPerson
  readonly methodIds: Readonly<Partial<Record<Way, string>>>
}

interface Due {
  readonly id: number
  readonly minor: number
  readonly token: string
  readonly number: string
}

/** What somebody wants to pay, and how: one invoice by its link, or up to three at once. */
export interface Purchase {
  readonly payer: MixedPayer
  readonly way: Way
  readonly invoices: readonly Due[]
}

/** The words of an answer's status, or that there was none. */
export type PurchaseEnd = 'paid' | 'refused' | 'given up'

/** Customers of every provider, with stored methods, and so many purchases of them all in turn. */
export const createPurchases = async (context: AppContext, sandbox: TestSandbox, count: number): Promise<Purchase[]> => {
  const app = await buildApp(context, { readiness: { isReady: true }, portalFolder: null })
  try {
    const payers: MixedPayer[] = []
    for (const provider of PROVIDER_DRIVERS) payers.push(await createPayer(context, app, sandbox, provider))
    const plans = Array.from({ length: count }, (_, at) => planPurchase(payers, at))
    const minors = new Map<number, number>()
    const ids: number[][] = []
    for (const { payer, size } of plans) ids.push(await addInvoices(context, payer, size, minors))
    const links = new Map((await listPaymentLinks(context)).map((link) => [link.id, link]))
    const toDue = (id: number): Due => ({ id, minor: minors.get(id) ?? 0, token: '', number: '', ...links.get(id) })
    return plans.map(({ payer, way }, at) => ({ payer, way, invoices: (ids[at] ?? []).map(toDue) }))
  } finally {
    await app.close()
  }
}

const createPayer = async (
  context: AppContext,
  app: Awaited<ReturnType<typeof buildApp>>,
  sandbox: TestSandbox,
  provider: ProviderDriver,
): Promise<MixedPayer> => {
  const { type: payment_type, currency } = provider
  const reseller = { payment_type, currency, payments_enabled: true, payments_bulk: true, payment_raw_card: true }
  const tenant = await addTenant(context, { reseller: { ...reseller, direct_debit_payment_method_id: 1 }, customer: { currency } })
  await connectReseller(context, sandbox, provider, tenant.resellerId)
  const me = clientFor(app, await signInAs(app, tenant.person), tenant.customerId)
  const methodIds: Partial<Record<Way, string>> = {}
  for (const kind of ['card', 'bank'] as const) {
    const answer = await provider.store[kind]?.({ me, resellerId: tenant.resellerId }, sandbox)
    if (answer !== undefined) methodIds[kind] = String(answer.json().id)
  }
  return { ...tenant, provider, methodIds }
}

/** The providers in turn, and of each the ways that it has. */
const planPurchase = (payers: readonly MixedPayer[], at: number): { payer: MixedPayer; way: Way; size: number } => {
  const payer = payers[at % payers.length] as MixedPayer
  const ways = WAYS.filter((way) => way === 'new card' || payer.methodIds[way] !== undefined)
  const way = ways[Math.floor(at / payers.length) % ways.length] ?? 'new card'
  return { payer, way, size: way === 'new card' ? 1 : randomInt(1, 4) }
}

/** Whole amounts that no stand-in declines, and that its debits take. */
const addInvoices = async (context: AppContext, payer: MixedPayer, size: number, minors: Map<number, number>): Promise<number[]> => {
  const ids: number[] = []
  for (let n = 0; n < size; n += 1) {
    const minor = 100 * randomInt(10, 17)
    const amounts = { net_minor: minor, amount_minor: minor, amount_due_minor: minor }
    const id = await addInvoice(context, payer.resellerId, payer.customerId, { currency: payer.provider.currency, ...amounts })
    minors.set(id, minor)
    ids.push(id)
  }
  return ids
}

const MAX_TRIES = 12
/** A session is good for five minutes. */
const SESSION_MS = 200_000

/** Pays as a person does whose server dies now and then: again and again, until the answer is clear. */
export class PurchaseClient {
  readonly #url: string
  readonly #sandbox: TestSandbox
  readonly #sessions = new Map<string, { readonly token: string; readonly until: number }>()

  constructor(url: string, sandbox: TestSandbox) {
    this.#url = url
    this.#sandbox = sandbox
  }

  async complete(purchase: Purchase): Promise<PurchaseEnd> {
    // Half of the browsers send a key, as the portal does.
    const key = randomInt(2) === 0 ? {} : { 'idempotency-key': randomUUID() }
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const status = await (purchase.way === 'new card' ? this.#payByLink(purchase, key) : this.#payAtOnce(purchase, key)).catch(() => 0)
      if (status === 200) return 'paid'
      if (status === 409 && tries > 2) return 'refused'
      await setTimeout(randomInt(200, 1_500))
    }
    return 'given up'
  }

  async #payByLink({ payer: { provider, resellerId }, invoices: [due] }: Purchase, headers: Record<string, string>): Promise<number> {
    if (due === undefined) return 409
    const fields = await provider.cardFields({
      sandbox: this.#sandbox,
      resellerId,
      startFields: async () => (await (await this.#post(`/v1/ec/pay/${due.token}/card-fields`, null)).json()).fields,
      loadTemplate: async () => (await fetch(`${this.#url}/v1/ec/pay/${due.token}/template`)).text(),
    })
    const body = {
      uid: due.token,
      invoiceNumber: due.number,
      invoiceAmount: (due.minor / 100).toFixed(2),
      cardHolder: 'Ada Payer',
      ...fields,
    }
    return this.#statusOf(await this.#post('/v1/ec/pay', body, headers))
  }

  async #payAtOnce({ payer, way, invoices }: Purchase, headers: Record<string, string>): Promise<number> {
    const session = { authorization: `Bearer ${await this.#tokenOf(payer)}`, [CUSTOMER_HEADER]: String(payer.customerId) }
    const answer = await this.#post('/v1/ec/payments/intents', { invoiceIds: invoices.map(({ id }) => id) }, session)
    if (!answer.ok) return this.#statusOf(answer)
    const { sessionId } = (await answer.json()) as { sessionId: string }
    const type = way === 'card' ? 'card' : (payer.provider.bankType ?? 'eCheck')
    const body = { sessionId, cardId: payer.methodIds[way], type }
    return this.#statusOf(await this.#post('/v1/ec/payments/pay/bulk', body, { ...session, ...headers }))
  }

  async #statusOf(answer: Response): Promise<number> {
    await answer.text()
    return answer.status
  }

  #post(path: string, body: object | null, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const json = body === null ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
    return fetch(this.#url + path, { method: 'POST', headers: { ...type, ...headers }, ...json })
  }

  async #tokenOf({ person }: MixedPayer): Promise<string> {
    const known = this.#sessions.get(person.id)
    if (known !== undefined && known.until > Date.now()) return known.token
    const form = { grant_type: 'password', username: person.username, password: PASSWORD, ...PORTAL }
    const answer = await fetch(`${this.#url}/token`, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    this.#sessions.set(person.id, { token, until: Date.now() + SESSION_MS })
    return token
  }
}
