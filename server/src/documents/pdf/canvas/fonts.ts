import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../../kit/api-error.ts'
import { openFonts, type DocumentFont } from './open-font.ts'

export type Weight = 'regular' | 'semibold'

/** Inter's contextual forms are off, because they print "->" as "→". */
const INTER = { calt: false }
const INTER_FILES: Readonly<Record<Weight, string>> = {
  regular: import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  semibold: import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
}

/** The scripts that Inter lacks: one weight each, opened by the first letter that needs it. */
const SCRIPT_FONTS: readonly (readonly [letters: RegExp, file: string])[] = [
  [/\p{Script_Extensions=Arabic}/u, import.meta.resolve('@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff')],
  [/\p{Script=Armenian}/u, import.meta.resolve('@fontsource/noto-sans-armenian/files/noto-sans-armenian-armenian-400-normal.woff')],
  [
    /\p{Script_Extensions=Devanagari}/u,
    import.meta.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff'),
  ],
  [
    /\p{Script_Extensions=Georgian}/u,
    import.meta.resolve('@fontsource/noto-sans-georgian/files/noto-sans-georgian-georgian-400-normal.woff'),
  ],
  [/\p{Script=Hebrew}/u, import.meta.resolve('@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff')],
  [/\p{Script=Thai}|฿/u, import.meta.resolve('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff')],
]

const opened = new Map<string, readonly DocumentFont[]>()
let filesInFolder: readonly string[] = []

/**
 * Names the folder of the setting FONTS_DIR for this thread. Its fonts are opened by the first letter that no other font has.
 * @throws OperatorError when the folder cannot be read
 */
export const useFontsFolder = (folder: string | null): void => {
  filesInFolder = folder === null ? [] : listFontFiles(folder)
}

/** Inter in this weight, which prints everything that it has a glyph for. */
export const mainFont = (weight: Weight): DocumentFont => open(INTER_FILES[weight], INTER)[0] as DocumentFont

const JOINERS = /[\u200c\u200d]/g

/** The first font that has glyphs for all these characters (joiners need none), or undefined. */
export const fontOfCharacters = (characters: string, weight: Weight): DocumentFont | undefined => {
  const codePoints = Array.from(characters.replace(JOINERS, ''), (character) => character.codePointAt(0) ?? 0)
  const hasAll = (font: DocumentFont) => codePoints.every(font.hasGlyph)
  const main = mainFont(weight)
  if (hasAll(main)) return main
  const files = SCRIPT_FONTS.filter(([letters]) => letters.test(characters)).map(([, file]) => file)
  return files.flatMap((file) => open(file)).find(hasAll) ?? findInFolder(hasAll)
}

/** The fonts in a file of a package, opened once in this thread. */
const open = (file: string, features?: Readonly<Record<string, boolean>>): readonly DocumentFont[] => {
  const fonts = opened.get(file) ?? openFonts(readFileSync(fileURLToPath(file)), features)
  opened.set(file, fonts)
  return fonts
}

/** The first wanted font in the folder of FONTS_DIR. Opens its files one after another, because each may have 20 MB. */
const findInFolder = (isWanted: (font: DocumentFont) => boolean): DocumentFont | undefined => {
  for (const path of filesInFolder) {
    const fonts = opened.get(path) ?? readFonts(path) ?? []
    opened.set(path, fonts)
    const font = fonts.find(isWanted)
    if (font !== undefined) return font
  }
  return undefined
}

/** The paths of the font files in a folder, by their names' endings. @throws OperatorError when the folder cannot be read */
const listFontFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(ttf|otf|ttc|woff)$/i.test(name))
      .toSorted()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new OperatorError(`The setting FONTS_DIR is not usable: ${folder} is no folder that can be read.`, { cause: error })
  }
}

/** The fonts in a file; null when it is no usable font. */
const readFonts = (path: string): readonly DocumentFont[] | null => {
  try {
    return openFonts(readFileSync(path))
  } catch {
    return null
  }
}

/** The files of a folder of fonts that are no fonts; documents do without them. @throws OperatorError when the folder cannot be read */
export const unreadableFonts = (folder: string): readonly string[] => listFontFiles(folder).filter((path) => readFonts(path) === null)
