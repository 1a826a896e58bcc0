import { randomInt } from 'node:crypto'

/** Without characters that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** One of the characters, by a random source fit for secrets. */
const randomCharacter = (characters: string): string => characters.charAt(randomInt(characters.length))

/**
 * A random password that is easy to read aloud, such as "Kmwxr-4vqtz-b7nhc-dy2ps". It has about 95 bits, an upper-case letter and a digit.
 */
export const generatePassword = (): string => {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => randomCharacter(LETTERS + DIGITS)).join(''),
  )
  const [first = '', second = '', ...others] = groups
  return [randomCharacter(LETTERS).toUpperCase() + first.slice(1), randomCharacter(DIGITS) + second.slice(1), ...others].join('-')
}
