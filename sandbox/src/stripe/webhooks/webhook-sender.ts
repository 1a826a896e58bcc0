import { createHmac } from 'node:crypto'
import type { Faults } from '../../faults/faults.ts'
import { WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../kit/object-store.ts'
import { toEvent, matchesEventType, type StripeEvent } from './events.ts'
import { randomText } from '../store/ids.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'
import { serialize } from '../api/serialize.ts'
import type { StripeSession } from '../store/stripe-session.ts'
import { type WebhookBatch, WebhookQueue } from '../../kit/webhook-queue.ts'

/** A webhook endpoint for every account; `{account}` in its URL is replaced by the account's name. */
export interface DefaultWebhook {
  readonly url: string
  readonly secret: string
}

interface WebhookDelivery {
  readonly account: string
  readonly event: StripeEvent
  readonly url: string
  readonly secret: string
}

/** The webhook deliveries that one request causes. */
export type StripeWebhookBatch = WebhookBatch<WebhookDelivery>

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: DefaultWebhook | undefined
}

const TIMEOUT_MS = 10_000

/** Sends webhook events as Stripe does: signed, and with retries. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #queue: WebhookQueue<WebhookDelivery>

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    this.#queue = new WebhookQueue({
      post: async (delivery) => postDelivery(delivery, options.clock()),
      forge: forgeDelivery,
      finish: (delivery) => this.#markDelivered(delivery),
    })
  }

  /** Stores the session's events, prepares their deliveries and takes the next webhook fault. */
  prepare(sandbox: StripeSession): StripeWebhookBatch {
    const { objects, faults, defaultWebhook } = this.#options
    const { account } = sandbox.context
    const endpoints = (objects.all(account, 'webhook_endpoint') as WebhookEndpoint[]).filter(({ status }) => status === 'enabled')
    const deliveries = sandbox.pendingEvents.flatMap((pendingEvent) => {
      const subscribed = endpoints.filter(({ enabled_events }) =>
        enabled_events.some((pattern) => matchesEventType(pendingEvent.type, pattern)),
      )
      const event = objects.put(account, toEvent(sandbox, pendingEvent, subscribed.length + (defaultWebhook ? 1 : 0)))
      const targets = [
        ...subscribed.map(({ url, sandbox_only }) => ({ url, secret: sandbox_only.secret })),
        ...this.#defaultWebhooks(account),
      ]
      return targets.map((target) => ({ account, event, ...target }))
    })
    return { deliveries, fault: deliveries.length === 0 ? undefined : faults.take('stripe', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the deliveries now if the fault is `early`. */
  async beforeResponse(batch: StripeWebhookBatch): Promise<void> {
    await this.#queue.beforeResponse(batch)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse(batch: StripeWebhookBatch): Promise<void> {
    await this.#queue.afterResponse(batch)
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const { objects } = this.#options
    for (const account of objects.accounts()) {
      const undelivered = (objects.all(account, 'event') as StripeEvent[])
        .filter(({ pending_webhooks }) => pending_webhooks > 0)
        .toReversed()
      const endpoints = (objects.all(account, 'webhook_endpoint') as WebhookEndpoint[]).map(({ url, sandbox_only, enabled_events }) => ({
        url,
        secret: sandbox_only.secret,
        patterns: enabled_events,
      }))
      const targets = [...endpoints, ...this.#defaultWebhooks(account).map((target) => ({ ...target, patterns: ['*'] }))]
      const deliveries = undelivered.flatMap((event) =>
        targets
          .filter(({ patterns }) => patterns.some((pattern) => matchesEventType(event.type, pattern)))
          .map(({ url, secret }) => ({ account, event, url, secret })),
      )
      this.#queue.resume(deliveries)
    }
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    this.#queue.reset()
  }

  #defaultWebhooks(account: string): DefaultWebhook[] {
    const { defaultWebhook } = this.#options
    return defaultWebhook === undefined ? [] : [{ ...defaultWebhook, url: defaultWebhook.url.replaceAll('{account}', account) }]
  }

  #markDelivered({ account, event }: WebhookDelivery): void {
    const { objects } = this.#options
    const current = objects.find(account, 'event', event.id) as StripeEvent | undefined
    if (current !== undefined && current.pending_webhooks > 0)
      objects.put(account, { ...current, pending_webhooks: current.pending_webhooks - 1 })
  }
}

const postDelivery = async ({ event, url, secret }: WebhookDelivery, now: number): Promise<boolean> => {
  const body = serialize(event)
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signature(body, secret, Math.floor(now / 1000)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}

/** The `Stripe-Signature` header: `t=…,v1=…`. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

/** The delivery signed with another secret, claiming that everything is paid. */
const forgeDelivery = (delivery: WebhookDelivery): WebhookDelivery => ({
  ...delivery,
  secret: `whsec_${randomText(32)}`,
  event: { ...delivery.event, data: { object: { ...delivery.event.data.object, status: 'succeeded', paid: true } } },
})
