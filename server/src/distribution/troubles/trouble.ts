import { OperatorError } from '../../kit/api-error.ts'

/** Something that is wrong with an installation on several machines, or keeps one from becoming so. */
export interface Trouble {
  readonly about: 'nodes' | 'usage'
  /** Whether everybody is answered, and answered rightly, all the same. */
  readonly isWarning: boolean
  readonly says: string
  /** What to do about it. */
  readonly mend: string
}

export const fault = (about: Trouble['about'], says: string, mend: string): Trouble => ({ about, isWarning: false, says, mend })
export const warning = (about: Trouble['about'], says: string, mend: string): Trouble => ({ about, isWarning: true, says, mend })

/** The trouble with these things; none where there are none of them. */
export const ifAny = (things: readonly unknown[], trouble: () => Trouble): Trouble[] => (things.length === 0 ? [] : [trouble()])

/** @throws OperatorError that says all of them, where there are any */
export const assertNoTroubles = (troubles: readonly Trouble[]): void => {
  if (troubles.length > 0) throw new OperatorError(troubles.map(({ says, mend }) => `${says} ${mend}`).join('\n'))
}

const MAX_NAMED = 5

/** The first of these names, and how many more there are. */
export const firstOf = (names: readonly string[]): string =>
  names.length <= MAX_NAMED ? names.join(', ') : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
