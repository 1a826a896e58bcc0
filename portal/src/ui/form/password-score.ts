import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** 0, easily guessed, to 4, very hard to guess (zxcvbn). */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

let pendingEstimator: Promise<ZxcvbnFactory> | null = null

/** Fetches the dictionaries, which are as big as the rest of the portal, once and only where a password is made. */
export const loadEstimator = (): Promise<ZxcvbnFactory> => {
  pendingEstimator ??= createEstimator()
  // A broken line must not leave the meter dumb until the page is loaded again.
  pendingEstimator.catch(() => {
    pendingEstimator = null
  })
  return pendingEstimator
}

/** How hard a password is to guess. */
export const scorePassword = async (password: string): Promise<PasswordScore> => (await loadEstimator()).check(password).score

const createEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
