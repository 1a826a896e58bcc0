import { newerSelectors } from './newer-apis.ts'

const NEWER = newerSelectors()

/** The selectors of a style sheet that some browser of the floor lacks, such as `:has`. */
export const findNewerSelectors = (css: string): string[] => {
  const selectors = (css.match(/[^{};]+(?=\{)/g) ?? []).join('\n')
  return NEWER.flatMap((name) => new RegExp(`::?${name}(?![\\w-])`).exec(selectors)?.[0] ?? [])
}
