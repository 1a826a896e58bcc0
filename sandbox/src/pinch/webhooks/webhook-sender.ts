import { createHmac, randomUUID } from 'node:crypto'
import { type Faults, WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../kit/object-store.ts'
import { type WebhookBatch, WebhookQueue } from '../../kit/webhook-queue.ts'
import type { PinchWebhook } from '../pinch.settings.ts'
import { newId, toInstant } from '../store/ids.ts'
import type { PinchSession } from '../store/pinch-session.ts'
import { newSecret, type PinchEvent, type Webhook } from './webhook.ts'

/** An event on its way to one URL. */
interface Delivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  /** The account's name in the store. */
  readonly account: string
  readonly url: string
  readonly secret: string
  readonly body: string
}

/** The deliveries that one request causes. */
export type PinchWebhookBatch = WebhookBatch<Delivery>

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: PinchWebhook | undefined
}

const TIMEOUT_MS = 10_000

/** Sends webhook events as Pinch does. Faults can lose, repeat, delay, reorder or forge them. */
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
    })
  }

  /** Stores the session's events and their deliveries, and takes the next webhook fault. */
  prepare(session: PinchSession): PinchWebhookBatch {
    const events = session.takeEvents().map(({ type, metadata, data }) =>
      session.put<PinchEvent>({
        id: newId('evt'),
        object: 'event',
        type,
        eventDate: toInstant(session.now).slice(0, -1),
        metadata,
        data,
      }),
    )
    const deliveries = events.flatMap((event) => this.#deliveriesOf(session, event)).map((delivery) => session.put(delivery))
    return { deliveries, fault: deliveries.length === 0 ? undefined : this.#options.faults.take('pinch', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the deliveries now if the fault is `early`. */
  async beforeResponse(batch: PinchWebhookBatch): Promise<void> {
    await this.#queue.beforeResponse(batch)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse(batch: PinchWebhookBatch): Promise<void> {
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

  #deliveriesOf(session: PinchSession, event: PinchEvent): Delivery[] {
    const own = session
      .all<Webhook>('webhook')
      .filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(event.type))
      .map(({ uri: url, secret, format }) => ({ url, secret, format }))
    return [...own, ...this.#defaultWebhooks(session)].map(({ url, secret, format }) => ({
      id: randomUUID(),
      object: 'webhook_delivery',
      account: session.key,
      url,
      secret,
      body: JSON.stringify(format === 'camel-case' ? deliveredEvent(event) : toPascalCase(deliveredEvent(event))),
    }))
  }

  #defaultWebhooks(session: PinchSession): { url: string; secret: string; format: Webhook['format'] }[] {
    const { defaultWebhook } = this.#options
    if (defaultWebhook === undefined) return []
    const url = defaultWebhook.url.replaceAll('{account}', encodeURIComponent(session.context.account))
    return [{ secret: defaultWebhook.secret, url, format: 'pascal-case' }]
  }
}

const deliveredEvent = ({ id, type, eventDate, metadata, data }: PinchEvent): object => ({ id, type, eventDate, metadata, data })

/** The same with every name in PascalCase, as webhooks are by default. */
const toPascalCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toPascalCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.charAt(0).toUpperCase() + name.slice(1), toPascalCase(inner)]),
  )
}

const postDelivery = async ({ url, secret, body }: Delivery, now: number): Promise<boolean> => {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'pinch-signature': signature(body, secret, Math.floor(now / 1_000)) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}

/** The `pinch-signature` header: `t=…,v2=…`. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v2=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

/** The delivery with a wrong signature, claiming that everything is paid. */
const forgeDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  secret: newSecret(),
  body: delivery.body.replaceAll(/("status":)"\w+"/gi, '$1"settled"'),
})
