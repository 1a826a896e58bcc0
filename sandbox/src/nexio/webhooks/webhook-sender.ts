import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type Faults, WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../kit/object-store.ts'
import { type WebhookBatch, WebhookQueue } from '../../kit/webhook-queue.ts'
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

/** The deliveries that one request causes. */
export type NexioWebhookBatch = WebhookBatch<Delivery>

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: NexioWebhook | undefined
}

/** Three tries in all, a minute apart. */
const RETRY_DELAYS_S = [60, 60]
const TIMEOUT_MS = 10_000

/** Sends webhook events as Nexio does. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #queue: WebhookQueue<Delivery>

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    const remove = ({ account, id }: Delivery) => options.objects.remove(account, id)
    this.#queue = new WebhookQueue({
      post: async (delivery) => postDelivery(delivery, options.clock()),
      forge: forgeDelivery,
      finish: remove,
      giveUp: remove,
      retryDelaysS: RETRY_DELAYS_S,
    })
  }

  /** Stores the deliveries of the session's events and takes the next webhook fault. */
  prepare(session: NexioSession): NexioWebhookBatch {
    const { objects, faults } = this.#options
    const { account } = session.context
    const deliveries = session.pendingEvents
      .flatMap((event) => this.#deliveriesOf(account, event))
      .map((delivery) => objects.put(account, delivery))
    return { deliveries, fault: deliveries.length === 0 ? undefined : faults.take('nexio', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the deliveries now if the fault is `early`. */
  async beforeResponse(batch: NexioWebhookBatch): Promise<void> {
    await this.#queue.beforeResponse(batch)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse(batch: NexioWebhookBatch): Promise<void> {
    await this.#queue.afterResponse(batch)
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const { objects } = this.#options
    this.#queue.resume(objects.accounts().flatMap((account) => objects.all(account, 'webhook_delivery').toReversed() as Delivery[]))
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    this.#queue.reset()
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
