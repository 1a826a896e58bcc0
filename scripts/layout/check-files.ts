import { posix } from 'node:path'
import { FOLDERS } from './folders.ts'

/** A folder with more source files than this is hard to survey. */
const MAX_FILES_PER_FOLDER = 20

const SOURCE = /\.tsx?$/
const NOT_COUNTED = /\.(test|e2e|d)\.tsx?$/

/** Files that stand where no rule of `folders.ts` allows them, which includes area files without one of the four roles. */
export const misplacedFiles = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => !FOLDERS.some(({ pattern }) => pattern.test(path)))
    .map((path) => `${path}: no rule of scripts/layout/folders.ts allows it`)

/** Folders that hold too many source files; tests are not counted. */
export const crowdedFolders = (paths: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (!SOURCE.test(path) || NOT_COUNTED.test(path)) continue
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES_PER_FOLDER)
    .map(([folder, count]) => `${folder}: ${count} source files, at most ${MAX_FILES_PER_FOLDER}`)
}
