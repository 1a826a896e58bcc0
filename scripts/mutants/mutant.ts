/** A mistake that is planted in a copy of the code, and the tests of which one must fail. */
export interface Mutant {
  readonly mistake: string
  /** Below server/src/payments/. */
  readonly file: string
  /** A text that stands once in the file, and what replaces it. */
  readonly from: string
  readonly to: string
  /** Below server/, in the order in which they are run until one fails. */
  readonly tests: readonly string[]
  /** Why the mistake does no harm, where no test can notice it. */
  readonly survives?: string
}

/** Groups the mutants of one file that the same tests must notice. Each is [mistake, from, to]. */
export const mutantsOf = (
  file: string,
  tests: readonly string[],
  changes: readonly (readonly [mistake: string, from: string, to: string, survives?: string])[],
): Mutant[] =>
  changes.map(([mistake, from, to, survives]) => ({ mistake, file, from, to, tests, ...(survives === undefined ? {} : { survives }) }))
