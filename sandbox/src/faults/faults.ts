import type { ProviderName } from '../providers.ts'

/** How a call may misbehave (decisions.md, The sandbox's own interface). */
export const CALL_FAULTS = ['decline', 'error', 'slow', 'drop', 'garbage', 'wrong-amount', 'twice', 'action', 'refuse'] as const

/** How the notice that a provider sends may misbehave. */
export const WEBHOOK_FAULTS = ['lost', 'twice', 'early', 'late', 'shuffled', 'forged'] as const

/** The operation whose faults are those of notices. */
export const WEBHOOK = 'webhook'

type FaultKind = (typeof CALL_FAULTS)[number] | (typeof WEBHOOK_FAULTS)[number]

/** What `POST /faults` takes. */
export interface FaultOrder {
  readonly provider: ProviderName
  readonly operation: string
  readonly kind: FaultKind
  readonly times: number
  readonly ms?: number
  readonly booked?: boolean
}

/** One misbehaviour, as a stand-in takes it. */
export interface Fault {
  readonly kind: FaultKind
  /** How long a `slow` answer or a `late` notice waits. */
  readonly ms: number
  /** Does the money move all the same? */
  readonly booked: boolean
}

/** An order with its defaults filled in; `times` is what is left of it. */
export type StandingFault = Required<FaultOrder>

const WAIT_MS = 45_000

/** The misbehaviours that were ordered and have not happened yet. */
export class Faults {
  #standing: StandingFault[] = []

  /** Orders the next `times` matching calls to misbehave, after what was ordered before for the same operation. */
  add(order: FaultOrder): StandingFault {
    const fault = { ms: WAIT_MS, booked: order.kind === 'drop' || order.kind === 'slow', ...order }
    this.#standing = [...this.#standing, fault]
    return fault
  }

  /** How this call is to misbehave, used up by asking; undefined when it is to behave. */
  take(provider: ProviderName, operation: string): Fault | undefined {
    const next = this.#standing.find((fault) => fault.provider === provider && fault.operation === operation)
    if (next === undefined) return undefined
    const left = { ...next, times: next.times - 1 }
    this.#standing = this.#standing.map((fault) => (fault === next ? left : fault)).filter(({ times }) => times > 0)
    return { kind: next.kind, ms: next.ms, booked: next.booked }
  }

  /** What still waits to happen, oldest order first. */
  list(): readonly StandingFault[] {
    return this.#standing
  }

  /** Forgets every order. */
  reset(): void {
    this.#standing = []
  }
}
