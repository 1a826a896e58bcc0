import { type Commands, checkCommands } from './check-commands.ts'
import { checkLink, checkPath, type Files, isPath } from './check-files.ts'
import { checkName } from './check-names.ts'
import { checkNumbers } from './check-numbers.ts'
import { type Claim, claimsOf, type Verdict } from './claim.ts'

/** What is true of the repository. */
export interface Facts {
  readonly files: Files
  readonly commands: Commands
  /** Each word of the code and each name of the database. */
  readonly words: ReadonlySet<string>
  /** The numbers of each constant, property and setting. */
  readonly values: ReadonlyMap<string, readonly number[]>
}

/** They hold measurements, with their date. */
const MEASUREMENTS: ReadonlySet<string> = new Set(['docs/performance.md', 'docs/payments.md'])
/** They say rules of the provider too, which no constant of ours holds. */
const OF_PROVIDER = /\/providers\/|^sandbox\/|^docs\/operating\//

const check = (claim: Claim, path: string, { files, commands, words, values }: Facts): Verdict => {
  if (claim.kind === 'link') return checkLink(claim, path, files)
  if (claim.kind === 'sentence') return MEASUREMENTS.has(path) ? null : checkNumbers(claim, values, !OF_PROVIDER.test(path))
  if (claim.kind === 'shell') return checkCommands(claim, commands)
  if (isPath(claim)) return checkPath(claim, files)
  return checkCommands(claim, commands) ?? checkName(claim, words, path.startsWith('sandbox/'))
}

const DOCUMENT = /^(?:README|CONTRIBUTING)\.md$|^docs\/|^server\/src\/payments\/providers\/|^sandbox\/src\//

/** Whether the names and numbers of this Markdown file are checked. */
export const isDocument = (path: string): boolean => DOCUMENT.test(path)

/** What a document says that is not so, each as `file:line: what and why`. */
export const falseClaims = (path: string, facts: Facts): readonly string[] =>
  claimsOf(facts.files.documents.get(path) ?? '').flatMap((claim) => {
    const verdict = check(claim, path, facts)
    return verdict === null ? [] : [`${path}:${claim.line}: ${verdict}`]
  })
