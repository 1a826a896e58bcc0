import { createHmac, randomUUID } from 'node:crypto'
import { WEBHOOK_OPERATION, type Faults } from '../../faults/faults.ts'
import type { ObjectStore, StoredObject } from '../../kit/object-store.ts'
import { type WebhookBatch, WebhookQueue } from '../../kit/webhook-queue.ts'
import type { Fields } from '../api/fields.ts'
import { randomText } from '../store/digest.ts'
import type { PendingEvent, AuthorizeSession } from '../store/authorize-session.ts'

/** A webhook for every account; `{account}` in its URL is replaced by the login id. */
export interface DefaultWebhook {
  readonly url: string
  /** The signature key, used as text. */
  readonly key: string
}

/** An account's webhook. */
export interface WebhookEndpoint extends StoredObject, DefaultWebhook {
  readonly object: 'webhook_endpoint'
}

/** A notification on its way to one address; it is stored until it was acknowledged. */
interface Notification extends StoredObject {
  readonly object: 'notification'
  readonly account: string
  readonly url: string
  readonly key: string
  readonly event: Fields
}

/** The notifications that one request causes. */
export type AuthorizeWebhookBatch = WebhookBatch<Notification>

interface WebhookSenderOptions {
  readonly objects: ObjectStore
  readonly faults: Faults
  readonly clock: () => number
  readonly defaultWebhook: DefaultWebhook | undefined
}

const TIMEOUT_MS = 10_000

/** Sends notifications as Authorize.net does: signed with the account's signature key, and with retries. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #queue: WebhookQueue<Notification>

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    this.#queue = new WebhookQueue({
      post: postNotification,
      forge: forgeNotification,
      finish: ({ account, id }) => options.objects.remove(account, id),
    })
  }

  /** Stores the notifications of the session's events and takes the next webhook fault. */
  prepare({ account, pendingEvents }: AuthorizeSession): AuthorizeWebhookBatch {
    const { objects, faults, clock } = this.#options
    const endpoints = [...(objects.all(account, 'webhook_endpoint') as WebhookEndpoint[]), ...this.#defaultWebhooks(account)]
    const deliveries = pendingEvents.flatMap((pendingEvent) =>
      endpoints.map(({ url, key }) => {
        const event = toEvent(pendingEvent, url, clock())
        return objects.put<Notification>(account, { id: randomUUID(), object: 'notification', account, url, key, event })
      }),
    )
    return { deliveries, fault: deliveries.length === 0 ? undefined : faults.take('authorize', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the notifications now if the fault is `early`. */
  async beforeResponse(batch: AuthorizeWebhookBatch): Promise<void> {
    await this.#queue.beforeResponse(batch)
  }

  /** Call after the response was sent; sends all other notifications. */
  async afterResponse(batch: AuthorizeWebhookBatch): Promise<void> {
    await this.#queue.afterResponse(batch)
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const { objects } = this.#options
    for (const account of objects.accounts()) this.#queue.resume((objects.all(account, 'notification') as Notification[]).toReversed())
  }

  /** Cancels all pending notifications. */
  reset(): void {
    this.#queue.reset()
  }

  #defaultWebhooks(account: string): DefaultWebhook[] {
    const { defaultWebhook } = this.#options
    return defaultWebhook === undefined ? [] : [{ ...defaultWebhook, url: defaultWebhook.url.replaceAll('{account}', account) }]
  }
}

const toEvent = ({ type, payload }: PendingEvent, url: string, now: number): Fields => ({
  notificationId: randomUUID(),
  eventType: `net.authorize.${type}`,
  eventDate: new Date(now).toISOString().replace('Z', '0000Z'),
  webhookId: webhookIdOf(url),
  payload,
})

/** The same id for the same address, written as a UUID. */
const webhookIdOf = (url: string): string =>
  createHmac('sha256', 'webhook')
    .update(url)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

const postNotification = async ({ event, url, key }: Notification): Promise<boolean> => {
  const body = JSON.stringify(event)
  try {
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-anet-signature': signatureOf(body, key) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}

/** The `X-Anet-Signature` header: HMAC-SHA512 with the signature key as text, in upper-case hex. */
export const signatureOf = (body: string, key: string): string =>
  `sha512=${createHmac('sha512', key).update(body).digest('hex').toUpperCase()}`

/** The notification signed with another key, claiming that everything is paid. */
const forgeNotification = (notification: Notification): Notification => ({
  ...notification,
  key: randomText(128),
  event: {
    ...notification.event,
    eventType: 'net.authorize.payment.authcapture.created',
    payload: { ...(notification.event['payload'] as Fields), responseCode: 1 },
  },
})
