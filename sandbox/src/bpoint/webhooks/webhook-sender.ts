import { randomUUID } from 'node:crypto'
import { type Faults, WEBHOOK_OPERATION } from '../../faults/faults.ts'
import type { ObjectStore } from '../../kit/object-store.ts'
import { type WebhookBatch, WebhookQueue } from '../../kit/webhook-queue.ts'
import type { BpointSession } from '../store/bpoint-session.ts'

/** An event on its way to the address that its call has registered. */
interface Delivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  readonly account: string
  readonly url: string
  readonly body: string
}

/** The deliveries that one request causes. */
export type BpointWebhookBatch = WebhookBatch<Delivery>

const HOUR_S = 3_600
/** Hourly for a day. */
const RETRY_DELAYS_S = Array.from({ length: 24 }, () => HOUR_S)
const TIMEOUT_MS = 10_000

/** Sends webhook events as BPOINT does: unsigned. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookSender {
  readonly #objects: ObjectStore
  readonly #faults: Faults
  readonly #queue: WebhookQueue<Delivery>

  constructor({ objects, faults }: { readonly objects: ObjectStore; readonly faults: Faults }) {
    this.#objects = objects
    this.#faults = faults
    const remove = ({ account, id }: Delivery) => objects.remove(account, id)
    this.#queue = new WebhookQueue({
      post: postDelivery,
      forge: forgeDelivery,
      finish: remove,
      giveUp: remove,
      retryDelaysS: RETRY_DELAYS_S,
    })
  }

  /** Stores the deliveries of the session's events and takes the next webhook fault. */
  prepare({ account, pendingEvents }: BpointSession): BpointWebhookBatch {
    const deliveries = pendingEvents.map(({ url, type, data }) => {
      const delivery: Delivery = { id: randomUUID(), object: 'webhook_delivery', account, url, body: JSON.stringify({ type, data }) }
      return this.#objects.put(account, delivery)
    })
    return { deliveries, fault: deliveries.length === 0 ? undefined : this.#faults.take('bpoint', WEBHOOK_OPERATION) }
  }

  /** Call before the response is sent; sends the deliveries now if the fault is `early`. */
  async beforeResponse(batch: BpointWebhookBatch): Promise<void> {
    await this.#queue.beforeResponse(batch)
  }

  /** Call after the response was sent; sends all other deliveries. */
  async afterResponse(batch: BpointWebhookBatch): Promise<void> {
    await this.#queue.afterResponse(batch)
  }

  /** Sends what was still undelivered when the sandbox last stopped. */
  resume(): void {
    const all = this.#objects.accounts().flatMap((account) => this.#objects.all(account, 'webhook_delivery').toReversed() as Delivery[])
    this.#queue.resume(all)
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    this.#queue.reset()
  }
}

const postDelivery = async ({ url, body }: Delivery): Promise<boolean> => {
  try {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, redirect: 'manual' } as const
    return (await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

/** The delivery with false content: it claims that everything is paid. */
const forgeDelivery = (delivery: Delivery): Delivery => {
  const { type, data } = JSON.parse(delivery.body) as { type: string; data: object }
  const claim = { responseCode: '0', bankResponseCode: '00', responseText: 'Approved', settlementDate: '20260101' }
  return { ...delivery, body: JSON.stringify({ type, data: { ...data, ...claim } }) }
}
