import type { Fault } from '../faults/faults.ts'

/** The webhook deliveries that one request causes. */
export interface WebhookBatch {
  /** Call before the response is sent; sends the deliveries now if their fault is `early`. */
  beforeResponse(): Promise<void>
  /** Call after the response was sent; sends all other deliveries. */
  afterResponse(): Promise<void>
}

interface WebhookQueueOptions<Delivery> {
  /** Sends the delivery once; true when it was acknowledged. */
  post(delivery: Delivery): Promise<boolean>
  /** The delivery with a false event and a wrong signature. */
  forge(delivery: Delivery): Delivery
  /** Called when the delivery was acknowledged, or was lost by a fault. */
  finish(delivery: Delivery): void
  /** Called when the last try was not acknowledged. */
  giveUp(delivery: Delivery): void
  /** The delays before each retry, in seconds; by default nine of them over three days. */
  readonly retryDelaysS?: readonly number[]
}

const DEFAULT_RETRY_DELAYS_S = [1, 5, 30, 120, 600, 3600, 21_600, 86_400, 86_400]
const MAX_HOLD_MS = 45_000

/** Sends a provider's webhook deliveries, with retries. Faults can lose, repeat, delay, reorder or forge them. */
export class WebhookQueue<Delivery> {
  readonly #options: WebhookQueueOptions<Delivery>
  readonly #timers = new Set<NodeJS.Timeout>()
  #held: readonly Delivery[] = []
  /** Raised by a reset: a delivery that is under way then is not tried again. */
  #round = 0

  constructor(options: WebhookQueueOptions<Delivery>) {
    this.#options = options
  }

  /** The deliveries with the fault that applies to them. */
  batch(deliveries: readonly Delivery[], fault: Fault | undefined): WebhookBatch {
    return {
      beforeResponse: async () => {
        if (fault?.kind === 'early') await this.#send(deliveries)
      },
      afterResponse: () => this.#sendAfterResponse(deliveries, fault),
    }
  }

  /** Sends soon what was still undelivered when the sandbox last stopped. */
  resume(deliveries: readonly Delivery[]): void {
    this.#schedule(0, () => this.#send(deliveries))
  }

  /** Cancels all pending deliveries. */
  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#round += 1
    this.#held = []
  }

  async #sendAfterResponse(deliveries: readonly Delivery[], fault: Fault | undefined): Promise<void> {
    const heldBefore = this.#held
    this.#held = []
    if (fault?.kind === 'shuffled') this.#hold(deliveries, fault.ms)
    else if (fault?.kind === 'lost') for (const delivery of deliveries) this.#options.finish(delivery)
    else if (fault?.kind === 'late') this.#schedule(fault.ms, () => this.#send(deliveries))
    else if (fault?.kind === 'twice') await Promise.all([this.#send(deliveries), this.#send(deliveries)])
    else if (fault?.kind === 'forged') await this.#send(deliveries.map((delivery) => this.#options.forge(delivery)))
    else if (fault?.kind !== 'early') await this.#send(deliveries)
    await this.#send(heldBefore)
  }

  #hold(deliveries: readonly Delivery[], ms: number): void {
    this.#held = deliveries.toReversed()
    this.#schedule(Math.min(ms, MAX_HOLD_MS), async () => {
      const stillHeld = this.#held.filter((delivery) => deliveries.includes(delivery))
      this.#held = this.#held.filter((delivery) => !deliveries.includes(delivery))
      await this.#send(stillHeld)
    })
  }

  async #send(deliveries: readonly Delivery[], attempt = 0): Promise<void> {
    for (const delivery of deliveries) await this.#attempt(delivery, attempt)
  }

  async #attempt(delivery: Delivery, attempt: number): Promise<void> {
    const round = this.#round
    if (await this.#options.post(delivery)) return this.#options.finish(delivery)
    if (round !== this.#round) return
    const { retryDelaysS = DEFAULT_RETRY_DELAYS_S, giveUp } = this.#options
    const wait = retryDelaysS[attempt]
    if (wait === undefined) giveUp(delivery)
    else this.#schedule(wait * 1000, () => this.#send([delivery], attempt + 1))
  }

  #schedule(ms: number, action: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void action()
    }, ms).unref()
    this.#timers.add(timer)
  }
}
