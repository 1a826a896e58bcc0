import type { ProviderName } from '../provider-names.ts'

/** How a call may misbehave. */
export const CALL_FAULTS = [
  'decline',
  'error',
  'slow',
  'drop',
  'garbage',
  'wrong-amount',
  'twice',
  'action',
  'script-action',
  'refuse',
] as const

/** How a provider's webhook events may misbehave. */
export const WEBHOOK_FAULTS = ['lost', 'twice', 'early', 'late', 'shuffled', 'forged'] as const

/** The operation for faults of webhook events. */
export const WEBHOOK_OPERATION = 'webhook'

type FaultKind = (typeof CALL_FAULTS)[number] | (typeof WEBHOOK_FAULTS)[number]

/** The body of `POST /faults`. */
export interface FaultRequest {
  readonly provider: ProviderName
  readonly operation: string
  readonly kind: FaultKind
  readonly times: number
  readonly ms?: number
  readonly booked?: boolean
}

/** One fault as a provider applies it. */
export interface Fault {
  readonly kind: FaultKind
  /** How long a `slow` response or a `late` webhook event waits, in milliseconds. */
  readonly ms: number
  /** Whether the money moves all the same. */
  readonly booked: boolean
  /** Aborted when everything that waits is let go. */
  readonly released: AbortSignal
}

/** A requested fault with its defaults; `times` is how often it will still happen. */
export type PendingFault = Required<FaultRequest>

const DEFAULT_WAIT_MS = 45_000

/** The faults that were requested and have not happened yet. */
export class Faults {
  #pending: PendingFault[] = []
  #waiting = new AbortController()

  /** Makes the next `times` matching calls misbehave, after the faults that were added before for the same operation. */
  add(request: FaultRequest): PendingFault {
    const fault = { ms: DEFAULT_WAIT_MS, booked: request.kind === 'drop' || request.kind === 'slow', ...request }
    this.#pending = [...this.#pending, fault]
    return fault
  }

  /** Takes the fault for this call; undefined when the call should behave. */
  take(provider: ProviderName, operation: string): Fault | undefined {
    const next = this.#pending.find((fault) => fault.provider === provider && fault.operation === operation)
    if (next === undefined) return undefined
    const remaining = { ...next, times: next.times - 1 }
    this.#pending = this.#pending.map((fault) => (fault === next ? remaining : fault)).filter(({ times }) => times > 0)
    return { kind: next.kind, ms: next.ms, booked: next.booked, released: this.#waiting.signal }
  }

  /** The pending faults, oldest first. */
  list(): readonly PendingFault[] {
    return this.#pending
  }

  /** Sends at once every `slow` answer that still waits. */
  release(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }

  /** Removes all faults. */
  reset(): void {
    this.#pending = []
  }
}
