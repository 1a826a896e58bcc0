import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Faults, WEBHOOK_OPERATION } from '../faults/faults.ts'
import type { StoredObject } from './object-store.ts'
import { Session, type SessionStores } from './session.ts'
import { type WebhookBatch, WebhookQueue } from './webhook-queue.ts'

/** Where webhook events go. */
interface WebhookTarget {
  readonly url: string
  /** Signs the events; null for events that are not signed. */
  readonly secret: string | null
}

/** A target that gets the events of every account besides the account's own targets; `{account}` in its URL is the account's name. */
export interface SharedWebhook extends WebhookTarget {
  readonly secret: string
}

/** An event as it goes to one target. */
export interface WebhookMessage extends WebhookTarget {
  readonly body: string
  /** The stored event that it tells of, where the provider stores events. */
  readonly eventId?: string
}

/** A message on its way; it is stored until it was acknowledged. */
interface WebhookDelivery extends WebhookMessage, StoredObject {
  readonly object: 'webhook_delivery'
  readonly account: string
}

/** What differs between the providers' webhooks. */
export interface WebhookStyle<Opened> {
  /** The messages of the session's events, which are taken from it. */
  messagesOf(session: Opened): readonly WebhookMessage[]
  /** The headers beside the content type, with the signature. */
  headersOf(message: WebhookMessage, now: number): Readonly<Record<string, string>>
  /** The body with a false claim that everything is paid. */
  forgeBody(body: string): string
  /** Called when a message was acknowledged, or was lost by a fault. */
  onDelivered?(session: Session, message: WebhookMessage): void
  /** The delays before each retry, in seconds, where they are not the usual ones. */
  readonly retryDelaysS?: readonly number[]
}

const TIMEOUT_MS = 10_000

/** Sends a provider's webhook events: stored, signed and with retries. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender<Opened extends Session<unknown>> {
  readonly #stores: SessionStores
  readonly #faults: Faults
  readonly #style: WebhookStyle<Opened>
  readonly #queue: WebhookQueue<WebhookDelivery>

  constructor(stores: SessionStores, faults: Faults, style: WebhookStyle<Opened>) {
    this.#stores = stores
    this.#faults = faults
    this.#style = style
    const remove = ({ account, id }: WebhookDelivery) => stores.objects.remove(account, id)
    this.#queue = new WebhookQueue({
      post: async (delivery) => post(delivery, style.headersOf(delivery, stores.clock())),
      forge: (delivery) => ({
        ...delivery,
        secret: delivery.secret === null ? null : randomBytes(24).toString('hex'),
        body: style.forgeBody(delivery.body),
      }),
      finish: (delivery) => {
        remove(delivery)
        style.onDelivered?.(new Session(stores, delivery.account), delivery)
      },
      giveUp: remove,
      ...(style.retryDelaysS === undefined ? {} : { retryDelaysS: style.retryDelaysS }),
    })
  }

  /** Stores the deliveries of the session's events and takes the next webhook fault. */
  prepare(session: Opened): WebhookBatch {
    const { account } = session
    const deliveries = this.#style
      .messagesOf(session)
      .map((message) => session.put<WebhookDelivery>({ ...message, id: randomUUID(), object: 'webhook_delivery', account }))
    return this.#queue.batch(deliveries, deliveries.length === 0 ? undefined : this.#faults.take(this.#stores.provider, WEBHOOK_OPERATION))
  }

  /** Sends the session's events before and after the response to a request. */
  async sendAround(reply: FastifyReply, session: Opened): Promise<void> {
    const batch = this.prepare(session)
    await batch.beforeResponse()
    reply.raw.once('close', () => void batch.afterResponse())
  }

  /** Sends the session's events where there is no response. */
  async send(session: Opened): Promise<void> {
    const batch = this.prepare(session)
    await batch.beforeResponse()
    await batch.afterResponse()
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const { objects } = this.#stores
    this.#queue.resume(objects.accounts().flatMap((account) => objects.all(account, 'webhook_delivery').toReversed() as WebhookDelivery[]))
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    this.#queue.reset()
  }
}

/** The shared webhook's target for an account, as a list of one; empty without such a webhook. */
export const sharedTargets = (webhook: SharedWebhook | undefined, account: string): SharedWebhook[] =>
  webhook === undefined ? [] : [{ ...webhook, url: webhook.url.replaceAll('{account}', encodeURIComponent(account)) }]

/** Posts a message once. False when the answer is not a success, comes too late, or never. */
const post = async ({ url, body }: WebhookMessage, headers: Readonly<Record<string, string>>): Promise<boolean> => {
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}
