/** A test file: its path from the root, and its text. */
export interface TestFile {
  readonly path: string
  readonly text: string
}

const IDS_IN_TITLE = /\[((?:[A-Z]+-\d+)(?:,\s*[A-Z]+-\d+)*)\]/g
const ROW = /^\| ([A-Z]+-\d+) \| (.*) \| [^|]* \|$/

/** The test files of each feature id, in the order of their paths. */
const filesById = (files: readonly TestFile[]): ReadonlyMap<string, readonly string[]> => {
  const byId = new Map<string, Set<string>>()
  for (const { path, text } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    for (const [, ids = ''] of text.matchAll(IDS_IN_TITLE))
      for (const id of ids.split(/,\s*/)) byId.set(id, (byId.get(id) ?? new Set()).add(path))
  return new Map([...byId].map(([id, paths]) => [id, [...paths]]))
}

const linkTo = (path: string): string => `[${path.split('/').at(-1)}](../${path})`

/**
 * docs/features.md with its third column written from the titles of the tests.
 * @throws Error when a row stands twice, or a test names an id that no row has
 */
export const withFeatureTests = (document: string, files: readonly TestFile[]): string => {
  const byId = filesById(files)
  const seen = new Set<string>()
  const lines = document.split('\n').map((line) => {
    const [, id, text] = ROW.exec(line) ?? []
    if (id === undefined) return line
    if (seen.has(id)) throw new Error(`${id} has two rows`)
    seen.add(id)
    const links = (byId.get(id) ?? []).map(linkTo)
    return `| ${id} | ${text} | ${links.length === 0 ? 'none yet' : links.join(' ')} |`
  })
  const unknown = [...byId.keys()].filter((id) => !seen.has(id))
  if (unknown.length > 0) throw new Error(`tests name ids that have no row: ${unknown.join(', ')}`)
  return lines.join('\n')
}
