import { posix } from 'node:path'
import type { Claim, Verdict } from './claim.ts'

/** The files of the repository: their paths and those of their folders, one a line, and the text of each document. */
export interface Files {
  readonly paths: string
  readonly documents: ReadonlyMap<string, string>
}

const SOURCE = /^[\w.@<>*/-]+\.(?:tsx?|js|sql|md|html|css)$/
const FOLDER = /^[\w.<>*-]+(?:\/[\w.<>*-]+)*\/$/
const IN_REPOSITORY = /^(?:\.ci|bench|contract|docs|e2e|portal|sandbox|scripts|server)\/[\w.<>*/-]+$/
/** What a build or a start makes, and libraries. */
const MADE = /(?:^|\/)(?:dist|node_modules|\.counterfoil|\.test)(?:\/|$)/
/** `<area>`, `NAME` and `NNNN` stand for one name, `*` and `**` for what they stand for in a shell. */
const PLACEHOLDER = /<[\w-]+>|NAME|NNNN|\*\*\/|\*/g

const toPattern = (path: string): string =>
  path
    .split(new RegExp(`(${PLACEHOLDER.source})`))
    .map((part, at) => (at % 2 === 0 ? part.replaceAll('.', String.raw`\.`) : part === '**/' ? '(?:.*/)?' : '[^/\n]*'))
    .join('')

export const isPath = ({ text }: Claim): boolean => SOURCE.test(text) || FOLDER.test(text) || IN_REPOSITORY.test(text)

/** What is wrong with a path in backticks: it is one of the repository, or the end of one. `.rules.ts` is the end of a name. */
export const checkPath = ({ text }: Claim, { paths }: Files): Verdict => {
  if (text.startsWith('/') || MADE.test(text)) return null
  const begin = /^\.\w+\.\w+$/.test(text) ? '' : '(?:^|/)'
  const path = toPattern(text.replace(/^\.\.?\//, ''))
  return new RegExp(`${begin}${path}/?$`, 'm').test(paths) ? null : `\`${text}\` is no file or folder`
}

const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (document: string): string[] => [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading))

/** What is wrong with a link: its file exists, and has the heading. */
export const checkLink = ({ text }: Claim, from: string, { paths, documents }: Files): Verdict => {
  if (/^[a-z]+:/.test(text)) return null
  const [target = '', anchor] = text.split('#')
  const path = target === '' ? from : posix.join(posix.dirname(from), target)
  if (
    ![path, `${path}/`].some((one) =>
      `
${paths}
`.includes(`
${one}
`),
    )
  )
    return `the link ${text} leads to no file`
  const isThere = anchor === undefined || anchorsOf(documents.get(path) ?? '').includes(anchor)
  return isThere ? null : `the link ${text} leads to no heading`
}
