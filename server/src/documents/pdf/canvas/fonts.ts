import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../../kit/api-error.ts'
import { openFonts, type DocumentFont } from './open-font.ts'

export type Weight = 'regular' | 'semibold'

/** Inter's contextual forms are off, because they print "->" as "→". */
const INTER = { calt: false }
const INTER_FILES: Readonly<Record<Weight, string>> = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  semibold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
}

/** The scripts that Inter lacks: one weight each, opened by the first letter that needs it. */
const SCRIPT_FONTS: readonly (readonly [letters: RegExp, name: string])[] = [
  [/\p{Script_Extensions=Arabic}/u, 'arabic'],
  [/\p{Script=Armenian}/u, 'armenian'],
  [/\p{Script_Extensions=Devanagari}/u, 'devanagari'],
  [/\p{Script_Extensions=Georgian}/u, 'georgian'],
  [/\p{Script=Hebrew}/u, 'hebrew'],
  [/\p{Script=Thai}|฿/u, 'thai'],
]

const opened = new Map<string, readonly DocumentFont[]>()
let folderOfMoreFonts: string | null = null

/**
 * Names the folder of the setting FONTS_DIR for this thread. Its fonts are opened by the first letter that no other font has.
 * @throws OperatorError when the folder cannot be read
 */
export const useFontsFolder = (folder: string | null): void => {
  if (folder !== null) listFontFiles(folder)
  folderOfMoreFonts = folder
}

/** The font of a weight for everything that it has a glyph for. */
export const mainFont = (weight: Weight): DocumentFont => open(INTER_FILES[weight], INTER)[0] as DocumentFont

const JOINERS = /[\u200c\u200d]/g

/** The first font that has glyphs for all these characters (joiners need none), or undefined. @throws OperatorError when a file in FONTS_DIR is no font */
export const fontOfCharacters = (characters: string, weight: Weight): DocumentFont | undefined => {
  const codePoints = Array.from(characters.replace(JOINERS, ''), (character) => character.codePointAt(0) ?? 0)
  const hasAll = (font: DocumentFont) => codePoints.every(font.hasGlyph)
  const main = mainFont(weight)
  if (hasAll(main)) return main
  const scripts = SCRIPT_FONTS.filter(([letters]) => letters.test(characters)).map(([, name]) => name)
  return (
    scripts.flatMap((name) => open(`@fontsource/noto-sans-${name}/files/noto-sans-${name}-${name}-400-normal.woff`)).find(hasAll) ??
    moreFonts().find(hasAll)
  )
}

const open = (file: string, features?: Readonly<Record<string, boolean>>): readonly DocumentFont[] => {
  const fonts = opened.get(file) ?? openFonts(readFileSync(fileURLToPath(import.meta.resolve(file))), features)
  opened.set(file, fonts)
  return fonts
}

const moreFonts = (): readonly DocumentFont[] => {
  const folder = folderOfMoreFonts
  if (folder === null) return []
  const fonts = opened.get(folder) ?? listFontFiles(folder).flatMap((name) => openFile(join(folder, name)))
  opened.set(folder, fonts)
  return fonts
}

const listFontFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(ttf|otf|ttc|woff)$/i.test(name))
      .toSorted()
  } catch (error) {
    throw new OperatorError(`The setting FONTS_DIR is not usable: ${folder} is no folder that can be read.`, { cause: error })
  }
}

const openFile = (path: string): readonly DocumentFont[] => {
  try {
    return openFonts(readFileSync(path))
  } catch (error) {
    throw new OperatorError(`The setting FONTS_DIR is not usable: ${path} is no font that can be read.`, { cause: error })
  }
}
