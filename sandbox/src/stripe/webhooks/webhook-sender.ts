import { createHmac } from 'node:crypto'
import type { Fault, Faults } from '../../faults/faults.ts'
import { WEBHOOK } from '../../faults/faults.ts'
import type { Archive } from '../store/object-store.ts'
import { eventOf, matches, type StripeEvent } from './events.ts'
import { random } from '../store/ids.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'
import { wireText } from '../api/serialize.ts'
import type { Work } from '../store/sandbox-session.ts'

/** A listener that is there from the start, for every account; `{account}` in its address is replaced by the account's word. */
export interface StandingListener {
  readonly url: string
  readonly secret: string
}

interface Notice {
  readonly account: string
  readonly event: StripeEvent
  readonly url: string
  readonly secret: string
}

/** The notices that one call causes, and how they are to misbehave. */
export interface Batch {
  readonly notices: readonly Notice[]
  readonly fault: Fault | undefined
}

interface Means {
  readonly archive: Archive
  readonly faults: Faults
  readonly clock: () => number
  readonly standing: StandingListener | undefined
}

/** How long to wait before each further try, in seconds; afterwards a notice is given up. */
const GAPS_S = [1, 5, 30, 120, 600, 3600, 21_600, 86_400, 86_400]
const PATIENCE_MS = 10_000
const PAST_PATIENCE_MS = 45_000

/** Tells those who listen what happened, as Stripe does: signed, again when nobody answered, and badly when a fault was ordered. */
export class Notices {
  readonly #means: Means
  readonly #timers = new Set<NodeJS.Timeout>()
  #held: Notice[] = []

  constructor(means: Means) {
    this.#means = means
  }

  /** Makes a call's happenings into events, and takes the fault that is ordered for them. */
  prepare(work: Work): Batch {
    const { archive, faults, standing } = this.#means
    const { account } = work.setting
    const listeners = (archive.all(account, 'webhook_endpoint') as WebhookEndpoint[]).filter(({ status }) => status === 'enabled')
    const notices = work.happenings.flatMap((happening) => {
      const wanting = listeners.filter(({ enabled_events }) => enabled_events.some((wish) => matches(happening.type, wish)))
      const event = archive.put(account, eventOf(work, happening, wanting.length + (standing ? 1 : 0)))
      const places = [...wanting.map(({ url, sandbox_only }) => ({ url, secret: sandbox_only.secret })), ...this.#standing(account)]
      return places.map((place) => ({ account, event, ...place }))
    })
    return { notices, fault: notices.length === 0 ? undefined : faults.take('stripe', WEBHOOK) }
  }

  /** Before the answer to the call: only what is ordered to be early. */
  async beforeAnswer({ notices, fault }: Batch): Promise<void> {
    if (fault?.kind === 'early') await this.#send(notices)
  }

  /** After the answer to the call: everything else. */
  async afterAnswer({ notices, fault }: Batch): Promise<void> {
    const before = this.#held
    this.#held = []
    if (fault?.kind === 'shuffled') this.#hold(notices, fault.ms)
    else if (fault?.kind === 'lost') for (const notice of notices) this.#delivered(notice)
    else if (fault?.kind === 'late') this.#after(fault.ms, () => this.#send(notices))
    else if (fault?.kind === 'twice') await Promise.all([this.#send(notices), this.#send(notices)])
    else if (fault?.kind === 'forged') await this.#send(notices.map(forged))
    else if (fault?.kind !== 'early') await this.#send(notices)
    await this.#send(before)
  }

  /** Sends what a stopped sandbox still had to send. */
  resume(): void {
    const { archive } = this.#means
    for (const account of archive.accounts()) {
      const waiting = (archive.all(account, 'event') as StripeEvent[]).filter(({ pending_webhooks }) => pending_webhooks > 0).toReversed()
      const listeners = (archive.all(account, 'webhook_endpoint') as WebhookEndpoint[]).map(({ url, sandbox_only, enabled_events }) => ({
        url,
        secret: sandbox_only.secret,
        wishes: enabled_events,
      }))
      const places = [...listeners, ...this.#standing(account).map((place) => ({ ...place, wishes: ['*'] }))]
      const notices = waiting.flatMap((event) =>
        places
          .filter(({ wishes }) => wishes.some((wish) => matches(event.type, wish)))
          .map(({ url, secret }) => ({ account, event, url, secret })),
      )
      this.#after(0, () => this.#send(notices))
    }
  }

  /** Forgets what was still to be sent. */
  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#held = []
  }

  #standing(account: string): StandingListener[] {
    const { standing } = this.#means
    return standing === undefined ? [] : [{ ...standing, url: standing.url.replaceAll('{account}', account) }]
  }

  #hold(notices: readonly Notice[], ms: number): void {
    this.#held = notices.toReversed()
    this.#after(Math.min(ms, PAST_PATIENCE_MS), async () => {
      const left = this.#held.filter((notice) => notices.includes(notice))
      this.#held = this.#held.filter((notice) => !notices.includes(notice))
      await this.#send(left)
    })
  }

  async #send(notices: readonly Notice[], gap = 0): Promise<void> {
    for (const notice of notices) await this.#try(notice, gap)
  }

  async #try(notice: Notice, gap: number): Promise<void> {
    if (await posted(notice, this.#means.clock())) {
      this.#delivered(notice)
      return
    }
    const wait = GAPS_S[gap]
    if (wait !== undefined) this.#after(wait * 1000, () => this.#send([notice], gap + 1))
  }

  #delivered({ account, event }: Notice): void {
    const { archive } = this.#means
    const now = archive.find(account, 'event', event.id) as StripeEvent | undefined
    if (now !== undefined && now.pending_webhooks > 0) archive.put(account, { ...now, pending_webhooks: now.pending_webhooks - 1 })
  }

  #after(ms: number, act: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void act()
    }, ms).unref()
    this.#timers.add(timer)
  }
}

const posted = async ({ event, url, secret }: Notice, now: number): Promise<boolean> => {
  const body = wireText(event)
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return ok
  } catch {
    return false
  }
}

/** The header that proves a body, as Stripe signs it: `t=…,v1=…`. */
const signature = (body: string, secret: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

/** A notice from somebody who does not know the secret, and says that all is paid. */
const forged = (notice: Notice): Notice => ({
  ...notice,
  secret: `whsec_${random(32)}`,
  event: { ...notice.event, data: { object: { ...notice.event.data.object, status: 'succeeded', paid: true } } },
})
