import { PASSWORD_MIN_SCORE } from '@counterfoil/contract/kit/password'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** How much of a long password is scored: scoring gets slower with length, and 100 characters suffice. */
const MAX_SCORED_CHARACTERS = 100

/** Texts for zxcvbn's warnings. */
const WARNINGS: Readonly<Record<string, string>> = {
  straightRow: 'It is a row of keys on the keyboard.',
  keyPattern: 'It is a short pattern on the keyboard.',
  simpleRepeat: 'It repeats one character.',
  extendedRepeat: 'It repeats one group of characters.',
  sequences: 'It is a common sequence, like abc or 6543.',
  recentYears: 'It is a recent year.',
  dates: 'It is a date.',
  topTen: 'It is one of the most used passwords.',
  topHundred: 'It is one of the most used passwords.',
  common: 'It is a common password.',
  similarToCommon: 'It is close to a common password.',
  wordByItself: 'It is a single word.',
  namesByThemselves: 'It is a name.',
  commonNames: 'It is a common name.',
}

let estimator: Promise<ZxcvbnFactory> | undefined

/** zxcvbn with its dictionaries, loaded on first use and kept: they are large, and few people change a password. */
const loadEstimator = (): Promise<ZxcvbnFactory> => (estimator ??= createEstimator())

/** Loads zxcvbn with its dictionaries, anew with each call. */
const createEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Factory }, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')])
  return new Factory({ graphs: common.adjacencyGraphs, dictionary: { ...common.dictionary } })
}

/** Why a new password is too weak, as text for the field; null when its zxcvbn score is at least PASSWORD_MIN_SCORE. */
export const passwordWeakness = async (password: string): Promise<string | null> => {
  const { score, feedback } = (await loadEstimator()).check([...password].slice(0, MAX_SCORED_CHARACTERS).join(''))
  if (score >= PASSWORD_MIN_SCORE) return null
  const warning = WARNINGS[feedback.warning ?? '']
  return `This password is too easy to guess.${warning === undefined ? ' Add another word or two.' : ` ${warning} Add another word or two.`}`
}
