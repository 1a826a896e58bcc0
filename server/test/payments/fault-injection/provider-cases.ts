/** What pays. */
export type Way = 'new card' | 'card' | 'bank'

/** What a stand-in does with a charge, and what its bank then does with a debit. */
interface Behaviour {
  /** The stand-in's fault; `none` where it answers as it should. */
  readonly kind: string
  /** Whether the money moves in spite of the fault. */
  readonly booked: boolean
  readonly bank: 'settles' | 'fails later' | 'taken back later'
}

/** How its webhooks behave. */
const WEBHOOKS = ['none', 'once', 'before the answer', 'twice at once', 'out of order', 'days late', 'forged'] as const

/** A behaviour of a provider and of its webhooks, and what must come of the payment. */
export interface ProviderCase extends Behaviour {
  readonly webhooks: (typeof WEBHOOKS)[number]
  /** Whether the money arrives. */
  readonly isPaid: boolean
  /** Whether it is taken back afterwards. */
  readonly isReturned: boolean
}

const FAULTS = [
  ['none', true],
  ['decline', false],
  ...['slow', 'error', 'drop', 'garbage'].flatMap((kind) => [[kind, true] as const, [kind, false] as const]),
  ['wrong-amount', true],
  // The request arrives twice, and what is answered is the second.
  ['twice', true],
  ['refuse', false],
] as const

/**
 * The thirteen answers to a charge, and for debits two fates at the bank more. None asks the payer for a confirmation: these companies
 * charge in one call, and Nexio's frame asks before it. A company that cannot tell a request that arrives twice from two of them is spared
 * that; reconciliation finds the second charge.
 */
export const behavioursOf = (way: Way, { knowsRepetitions }: { knowsRepetitions: boolean }): Behaviour[] => [
  ...FAULTS.filter(([kind]) => kind !== 'twice' || knowsRepetitions).map(
    ([kind, booked]): Behaviour => ({ kind, booked, bank: 'settles' }),
  ),
  ...(way === 'bank' ? (['fails later', 'taken back later'] as const).map((bank) => ({ kind: 'none', booked: true, bank })) : []),
]

/**
 * Every behaviour with every behaviour of webhooks, or evenly about so many of them.
 * @param first where the share starts, so that ways share the cases among them
 */
export const casesOf = (
  behaviours: readonly Behaviour[],
  hasWebhooks: boolean,
  { share, first }: { share: number; first: number },
): ProviderCase[] => {
  const all = behaviours.flatMap((behaviour) =>
    (hasWebhooks ? WEBHOOKS : (['none'] as const)).map((webhooks) => ({
      ...behaviour,
      webhooks,
      isPaid: behaviour.booked && behaviour.kind !== 'decline' && behaviour.bank !== 'fails later',
      isReturned: behaviour.bank === 'taken back later',
    })),
  )
  const every = Math.max(1, Math.round(all.length / share))
  return all.filter((_, at) => at % every === first % every)
}
