/**
 * `npm run layout`: fails on a file where none may stand, a folder with too many files, an area file without a role, and a payment
 * provider's name outside its own folders (docs/architecture.md).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { crowdedFolders, misplacedFiles } from './layout/check-files.ts'
import { providerLeaks } from './layout/check-providers.ts'

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))

const problems = [
  ...misplacedFiles(paths),
  ...crowdedFolders(paths),
  ...paths.flatMap((path) => (/\.(tsx?|css)$/.test(path) ? providerLeaks(path, readFileSync(path, 'utf8')) : [])),
]
if (problems.length > 0) {
  console.error(`layout: ${problems.length} problems found\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
console.log(`layout: ${paths.length} files, no problems found`)
