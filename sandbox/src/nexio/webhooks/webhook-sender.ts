import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Fault, type Faults, WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../store/object-store.ts'
import type { NexioWebhook } from '../nexio.settings.ts'
import type { NexioSession, PendingEvent } from '../store/nexio-session.ts'
import type { WebhookConfig } from './webhook-config.ts'

/** An event on its way to one URL. */
interface Delivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  readonly account: string
  readonly url: string
  /** Null for an event that is not signed. */
  readonly secret: string | null
  readonly body: string
}

/** The deliveries that one request causes, and the fault that applies to them. */
export interface WebhookBatch {
  readonly deliveries: readonly Delivery[]
  readonly fault: Fault | undefined
}

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: NexioWebhook | undefined
}

const MAX_ATTEMPTS = 3
const RETRY_DELAY_MS = 60_000
const TIMEOUT_MS = 10_000
const MAX_HOLD_MS = 45_000

/** Sends webhook events as Nexio does: three times in all, a minute apart. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  #held: readonly Delivery[] = []

  constructor(options: WebhookSenderOptions) {
    this.#options = options
  }

  /** Stores the deliveries of the session's events and takes the next webhook fault. */
  prepare(session: NexioSession): WebhookBatch {
    const { objects, faults } = this.#options
    const { account } = session.context
    const deliveries = session.pendingEvents
      .flatMap((event) => this.#deliveriesOf(account, event))
      .map((delivery) => objects.put(account, delivery))
    return { deliveries, fault: deliveries.length === 0 ? undefined : faults.take('nexio', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the deliveries now if the fault is `early`. */
  async beforeResponse({ deliveries, fault }: WebhookBatch): Promise<void> {
    if (fault?.kind === 'early') await this.#send(deliveries)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse({ deliveries, fault }: WebhookBatch): Promise<void> {
    const heldBefore = this.#held
    this.#held = []
    if (fault?.kind === 'shuffled') this.#hold(deliveries, fault.ms)
    else if (fault?.kind === 'lost') for (const delivery of deliveries) this.#finish(delivery)
    else if (fault?.kind === 'late') this.#schedule(fault.ms, () => this.#send(deliveries))
    else if (fault?.kind === 'twice') await Promise.all([this.#send(deliveries), this.#send(deliveries)])
    else if (fault?.kind === 'forged') await this.#send(deliveries.map(forgeDelivery))
    else if (fault?.kind !== 'early') await this.#send(deliveries)
    await this.#send(heldBefore)
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const { objects } = this.#options
    const undelivered = objects.accounts().flatMap((account) => objects.all(account, 'webhook_delivery').toReversed() as Delivery[])
    this.#schedule(0, () => this.#send(undelivered))
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#held = []
  }

  #deliveriesOf(account: string, { type, merchantId, data, unsignedBody }: PendingEvent): Delivery[] {
    const config = this.#options.objects.find(account, 'webhook_config', `webhooks ${merchantId}`) as WebhookConfig | undefined
    const url = config?.urls[type]
    const targets = [...(url === undefined ? [] : [{ url, secret: config?.secret ?? null }]), ...this.#defaultWebhooks(account)]
    const isUnsigned = account.includes('unsigned')
    const body = isUnsigned ? unsignedBody : { eventType: type, data }
    if (body === undefined) return []
    return targets.map((target) => ({
      id: randomUUID(),
      object: 'webhook_delivery',
      account,
      url: target.url,
      secret: isUnsigned ? null : target.secret,
      body: JSON.stringify(body),
    }))
  }

  #defaultWebhooks(account: string): NexioWebhook[] {
    const { defaultWebhook } = this.#options
    if (defaultWebhook === undefined) return []
    return [{ ...defaultWebhook, url: defaultWebhook.url.replaceAll('{account}', encodeURIComponent(account)) }]
  }

  #hold(deliveries: readonly Delivery[], ms: number): void {
    this.#held = deliveries.toReversed()
    this.#schedule(Math.min(ms, MAX_HOLD_MS), async () => {
      const stillHeld = this.#held.filter((delivery) => deliveries.includes(delivery))
      this.#held = this.#held.filter((delivery) => !deliveries.includes(delivery))
      await this.#send(stillHeld)
    })
  }

  async #send(deliveries: readonly Delivery[], attempt = 1): Promise<void> {
    for (const delivery of deliveries) await this.#attempt(delivery, attempt)
  }

  async #attempt(delivery: Delivery, attempt: number): Promise<void> {
    const isDone = (await postDelivery(delivery, this.#options.clock())) || attempt === MAX_ATTEMPTS
    if (isDone) this.#finish(delivery)
    else this.#schedule(RETRY_DELAY_MS, () => this.#send([delivery], attempt + 1))
  }

  #finish({ account, id }: Delivery): void {
    this.#options.objects.remove(account, id)
  }

  #schedule(ms: number, action: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void action()
    }, ms).unref()
    this.#timers.add(timer)
  }
}

const postDelivery = async ({ url, secret, body }: Delivery, now: number): Promise<boolean> => {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(secret === null ? {} : { 'nexio-signature': signature(body, secret, now) }) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}

/** The `Nexio-signature` header: `t=…,v1=…`. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

/** The delivery with a wrong signature, claiming that everything is paid. */
const forgeDelivery = (delivery: Delivery): Delivery => {
  const event = JSON.parse(delivery.body) as { data?: object; transactionStatus?: number }
  const claim =
    event.data === undefined
      ? { transactionStatus: 20 }
      : { eventType: 'TRANSACTION_SETTLED', data: { ...event.data, transactionStatus: 'settled' } }
  return {
    ...delivery,
    secret: delivery.secret === null ? null : randomBytes(24).toString('hex'),
    body: JSON.stringify({ ...event, ...claim }),
  }
}
