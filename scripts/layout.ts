/**
 * `npm run layout`: fails on a file where none may stand, a folder with too many files, an area file without a role, a payment provider's
 * name outside its own folders, and a name with a word that this project does not use (docs/architecture.md).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { crowdedFolders, misplacedFiles } from './layout/check-files.ts'
import { badNames, badPaths } from './layout/check-names.ts'
import { providerLeaks } from './layout/check-providers.ts'
import { declaredNames } from './layout/declared-names.ts'

const PROJECTS = ['contract', 'server', 'portal', 'sandbox', 'e2e', 'bench', 'scripts']

const root = process.cwd()
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))

const problems = [
  ...misplacedFiles(paths),
  ...crowdedFolders(paths),
  ...paths.flatMap((path) => (/\.(tsx?|css)$/.test(path) ? providerLeaks(path, readFileSync(path, 'utf8')) : [])),
  ...badPaths(paths),
  ...badNames(declaredNames(root, PROJECTS)),
]
if (problems.length > 0) {
  console.error(`layout: ${problems.length} problems found\n  ${[...new Set(problems)].join('\n  ')}`)
  process.exit(1)
}
console.log(`layout: ${paths.length} files, no problems found`)
