import { randomInt } from 'node:crypto'

/** Without the characters that people mistake for one another. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

const randomCharacter = (characters: string): string => characters.charAt(randomInt(characters.length))

/** A password to read aloud: four groups, as in "Kmwxr-4vqtz-b7nhc-dy2ps". About 95 bits; has a capital, small letters and a digit. */
export const generatePassword = (): string => {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => randomCharacter(LETTERS + DIGITS)).join(''),
  )
  const [first = '', second = '', ...others] = groups
  return [randomCharacter(LETTERS).toUpperCase() + first.slice(1), randomCharacter(DIGITS) + second.slice(1), ...others].join('-')
}
