import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../kit/api-error.ts'

/** The names of files that an export has: CSV or Parquet, plain or compressed. */
const PART = /\.(csv|parquet)(\.gz|\.zst)?$/i
const MANIFEST = /manifest\.json$/i

/**
 * The paths of the files of an export: those named, those in a named folder, those that a named manifest lists. A manifest in a folder
 * lists the folder's files.
 * @throws OperatorError when a folder or manifest has none, a listed one is missing, or one would be read twice
 */
export const findParts = async (paths: readonly string[]): Promise<string[]> => {
  const parts: string[] = []
  for (const path of paths) parts.push(...(await partsAt(path)))
  const real = await Promise.all(parts.map((path) => realpath(path).catch(() => path)))
  const twice = parts.find((_, at) => real.indexOf(real[at] ?? '') !== at)
  if (twice !== undefined) throw new OperatorError(`${twice} is named twice; its rows would be billed twice.`)
  return parts
}

/** The files that one path names: a folder's, a JSON manifest's, else the path itself, whether or not there is a file. */
const partsAt = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory() === true) return partsOfFolder(path)
  return found !== null && path.toLowerCase().endsWith('.json') ? partsOfManifest(path) : [path]
}

/**
 * The data files in a folder and below, or those that its manifest lists.
 * @throws OperatorError for several manifests, no file, or a file in two forms
 */
const partsOfFolder = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !/(^|\/)[._]/.test(name)).toSorted()
  const [manifest, other] = names.filter((name) => MANIFEST.test(name))
  if (other !== undefined)
    throw new OperatorError(`The folder ${folder} holds several manifests, as of several exports; name the manifest of one.`)
  if (manifest !== undefined) return partsOfManifest(join(folder, manifest))
  const parts = names.filter((name) => PART.test(name))
  if (parts.length === 0) throw new OperatorError(`The folder ${folder} holds no file that ends in .csv, .csv.gz, .csv.zst or .parquet.`)
  const stems = parts.map((name) => name.replace(PART, ''))
  const again = parts.find((_, at) => stems.indexOf(stems[at] ?? '') !== at)
  if (again !== undefined)
    throw new OperatorError(`The folder ${folder} holds ${again} in another form too; its rows would be billed twice. Name the files.`)
  return parts.map((name) => join(folder, name))
}

/** The paths of the files that a manifest lists. @throws OperatorError when there are none, or one is missing */
const partsOfManifest = async (path: string): Promise<readonly string[]> => {
  const listed = new Set(listedNames(await readJson(path)))
  if (listed.size === 0) throw new OperatorError(`${path} lists no file that ends in .csv, .csv.gz, .csv.zst or .parquet.`)
  return Promise.all([...listed].map((name) => requireListedFile(path, name)))
}

/** Reads a file on disk as JSON. @throws OperatorError when the file is no JSON or cannot be read */
const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new OperatorError(`${path} is not a manifest: it is not JSON.`, { cause: error })
  }
}

/** Every text of a manifest that names a file of the export: providers list them as `dataFiles`, `blobs`, `entries` and so on. */
const listedNames = (value: unknown): string[] => {
  if (typeof value === 'string') return PART.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listedNames) : []
}

/**
 * The path of a file that a manifest lists, in the manifest's folder or one of the three above, since providers keep manifests in a folder
 * of their own. The manifest gives the file's path in the provider's store, of which as much as possible must match: in the folders above
 * at least one folder's name, because every run of an export has files of the same names.
 * @throws OperatorError when the file does not exist
 */
const requireListedFile = async (manifest: string, name: string): Promise<string> => {
  const words = name
    .replace(/^\w+:\/\/[^/]*/, '')
    .split('/')
    .filter((word) => word !== '' && word !== '.' && word !== '..')
  const folder = dirname(manifest)
  const foldersAbove = ['..', '../..', '../../..'].map((above) => join(folder, above))
  for (let at = 0; at < words.length; at += 1)
    for (const base of at === words.length - 1 ? [folder] : [folder, ...foldersAbove]) {
      const path = join(base, ...words.slice(at))
      if ((await stat(path).catch(() => null))?.isFile() === true) return path
    }
  throw new OperatorError(`${manifest} lists ${name}, which is not there; the export would be billed in part.`)
}
