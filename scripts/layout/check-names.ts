import { basename, dirname } from 'node:path'
import type { DeclaredName } from './declared-names.ts'
import { BANNED_WORDS, type BannedWord, LEGITIMATE_NAMES, PARTICIPLES } from './words.ts'

/** The words of a name: `paymentsHouse`, `PAYMENTS_HOUSE` and `payments-house` are all `payments`, `house`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())

const isBanned = ({ word, where }: BannedWord, path: string, name: string): boolean => {
  if (where !== undefined && !where.test(path)) return false
  return /^[A-Z]/.test(word) ? name === word : wordsOf(name).includes(word)
}

/** `sent`, and any single word such as `masked`. */
const isParticiple = (name: string): boolean => PARTICIPLES.has(name) || /^[a-z]+[^e]ed$/.test(name)

const isLegitimate = (path: string, name: string): boolean =>
  LEGITIMATE_NAMES.some((legitimate) => legitimate.name.test(name) && (legitimate.where?.test(path) ?? true))

/** Declared names that use a word of the left-hand column of `words.ts`, and functions named by a bare participle. */
export const badNames = (names: readonly DeclaredName[]): string[] =>
  names.flatMap(({ path, name, kind, isTopLevel }) => {
    if (isLegitimate(path, name)) return []
    const banned = BANNED_WORDS.find((word) => isBanned(word, path, name))
    if (banned !== undefined) return [`${path}: ${name} says "${banned.word}"; the word here is ${banned.use}`]
    if (kind === 'function' && isTopLevel && isParticiple(name))
      return [`${path}: the function ${name} says neither what it does nor what it returns`]
    return []
  })

/** The same for files and folders. */
export const badPaths = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    if (!/\.(tsx?|css)$/.test(path) || path.includes('/migrations/')) return []
    const parts = [basename(path).replace(/\..*$/, ''), ...dirname(path).split('/')]
    return parts.flatMap((part) => {
      if (isLegitimate(path, part)) return []
      const banned = BANNED_WORDS.find((word) => isBanned(word, path, part))
      return banned === undefined ? [] : [`${path}: "${banned.word}" in a path; the word here is ${banned.use}`]
    })
  })
