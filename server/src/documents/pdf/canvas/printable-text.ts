import { fontOfCharacters, type Weight } from './fonts.ts'
import { lettersOf } from './letters.ts'

/** Replaces a letter that cannot be printed, so that a reader sees that something is missing. */
const MISSING = '□'

const ASCII = /^[\n\x20-\x7e]*$/
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Arabic and Devanagari letters change their shape beside a joiner. */
const JOINED_LETTERS = /[\p{Script=Arabic}\p{Script=Devanagari}]/u
const INVISIBLE_BUT_JOINERS = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const CONTROL = /\p{Cc}/u
const SPACE = /^[\t\p{Zs}]$/u

/**
 * Converts a text to letters that a font has.
 *
 * Line ends become "\n", unknown spaces plain spaces; marks without a glyph (joiners, variation selectors,
 * direction marks, soft hyphens) are dropped; every other letter, control character or emoji that no font has
 * becomes one MISSING sign.
 */
export const toPrintableText = (text: string, weight: Weight): string =>
  ASCII.test(text)
    ? text
    : printableLetters(text, weight)
        .map(({ printable }) => printable)
        .join('')

/** The letters of a text that no font has, each once. */
export const unprintableLetters = (text: string): readonly string[] =>
  ASCII.test(text)
    ? []
    : [
        ...new Set(
          printableLetters(text, 'regular').flatMap(({ letter, printable }) =>
            printable === MISSING && letter !== MISSING ? [letter] : [],
          ),
        ),
      ]

/** The letters of a text, each with what is printed in its place. */
const printableLetters = (text: string, weight: Weight): readonly { readonly letter: string; readonly printable: string }[] =>
  lettersOf(text.toWellFormed().normalize('NFC').replace(LINE_ENDS, '\n')).map((letter) => ({
    letter,
    printable: toPrintableLetter(letter, weight),
  }))

/**
 * What is printed of a letter, which may be several characters: the letter without invisible marks where a font has those characters; a
 * space for any other blank; else MISSING. A line end stays.
 */
const toPrintableLetter = (letter: string, weight: Weight): string => {
  const visible = letter.replace(JOINED_LETTERS.test(letter) ? INVISIBLE_BUT_JOINERS : INVISIBLE, '')
  if (visible === '\n' || canPrint(visible, weight)) return visible
  return SPACE.test(visible) ? ' ' : MISSING
}

/** Whether some font has all characters of a letter. Fonts may have empty glyphs for control characters, which count as none. */
const canPrint = (letter: string, weight: Weight): boolean => !CONTROL.test(letter) && fontOfCharacters(letter, weight) !== undefined
