import { createHmac } from 'node:crypto'
import type { Fault, Faults } from '../../faults/faults.ts'
import { WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../store/object-store.ts'
import { toEvent, matchesEventType, type StripeEvent } from './events.ts'
import { randomText } from '../store/ids.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'
import { serialize } from '../api/serialize.ts'
import type { SandboxSession } from '../store/sandbox-session.ts'

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

/** The webhook deliveries that one request causes, and the fault that applies to them. */
export interface WebhookBatch {
  readonly deliveries: readonly WebhookDelivery[]
  readonly fault: Fault | undefined
}

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: DefaultWebhook | undefined
}

/** The delays before each retry; after the last one the delivery is given up. */
const RETRY_DELAYS_S = [1, 5, 30, 120, 600, 3600, 21_600, 86_400, 86_400]
const TIMEOUT_MS = 10_000
const MAX_HOLD_MS = 45_000

/** Sends webhook events as Stripe does: signed, and with retries. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  #held: WebhookDelivery[] = []

  constructor(options: WebhookSenderOptions) {
    this.#options = options
  }

  /** Stores the session's events, prepares their deliveries and takes the next webhook fault. */
  prepare(sandbox: SandboxSession): WebhookBatch {
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
  async beforeResponse({ deliveries, fault }: WebhookBatch): Promise<void> {
    if (fault?.kind === 'early') await this.#send(deliveries)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse({ deliveries, fault }: WebhookBatch): Promise<void> {
    const heldBefore = this.#held
    this.#held = []
    if (fault?.kind === 'shuffled') this.#hold(deliveries, fault.ms)
    else if (fault?.kind === 'lost') for (const delivery of deliveries) this.#markDelivered(delivery)
    else if (fault?.kind === 'late') this.#schedule(fault.ms, () => this.#send(deliveries))
    else if (fault?.kind === 'twice') await Promise.all([this.#send(deliveries), this.#send(deliveries)])
    else if (fault?.kind === 'forged') await this.#send(deliveries.map(forgeDelivery))
    else if (fault?.kind !== 'early') await this.#send(deliveries)
    await this.#send(heldBefore)
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
      this.#schedule(0, () => this.#send(deliveries))
    }
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#held = []
  }

  #defaultWebhooks(account: string): DefaultWebhook[] {
    const { defaultWebhook } = this.#options
    return defaultWebhook === undefined ? [] : [{ ...defaultWebhook, url: defaultWebhook.url.replaceAll('{account}', account) }]
  }

  #hold(deliveries: readonly WebhookDelivery[], ms: number): void {
    this.#held = deliveries.toReversed()
    this.#schedule(Math.min(ms, MAX_HOLD_MS), async () => {
      const stillHeld = this.#held.filter((delivery) => deliveries.includes(delivery))
      this.#held = this.#held.filter((delivery) => !deliveries.includes(delivery))
      await this.#send(stillHeld)
    })
  }

  async #send(deliveries: readonly WebhookDelivery[], attempt = 0): Promise<void> {
    for (const delivery of deliveries) await this.#attempt(delivery, attempt)
  }

  async #attempt(delivery: WebhookDelivery, attempt: number): Promise<void> {
    if (await postDelivery(delivery, this.#options.clock())) {
      this.#markDelivered(delivery)
      return
    }
    const wait = RETRY_DELAYS_S[attempt]
    if (wait !== undefined) this.#schedule(wait * 1000, () => this.#send([delivery], attempt + 1))
  }

  #markDelivered({ account, event }: WebhookDelivery): void {
    const { objects } = this.#options
    const current = objects.find(account, 'event', event.id) as StripeEvent | undefined
    if (current !== undefined && current.pending_webhooks > 0)
      objects.put(account, { ...current, pending_webhooks: current.pending_webhooks - 1 })
  }

  #schedule(ms: number, action: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void action()
    }, ms).unref()
    this.#timers.add(timer)
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
