import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** From 0, easily guessed, to 4, very hard to guess (zxcvbn). */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

let pendingEstimator: Promise<ZxcvbnFactory> | null = null

/** Loads the dictionaries once. They are as big as the rest of the portal, so they come with the first key of a new password. */
const loadEstimator = (): Promise<ZxcvbnFactory> => {
  pendingEstimator ??= createEstimator()
  // After a failure the next call tries again.
  pendingEstimator.catch(() => {
    pendingEstimator = null
  })
  return pendingEstimator
}

/** How hard a password is to guess. Loads the dictionaries at the first call, and rejects when they cannot be loaded. */
export const scorePassword = async (password: string): Promise<PasswordScore> => (await loadEstimator()).check(password).score

/** Loads the code and the dictionaries of zxcvbn. */
const createEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
