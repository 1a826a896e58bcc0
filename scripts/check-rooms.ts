/**
 * Fails on a file that stands in no known room of the house (docs/house.md), so that nothing is put down "somewhere for now".
 * A room is a folder with the names that may stand in it.
 */
import { execFileSync } from 'node:child_process'
import { ROOMS } from './rooms.ts'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '')

/** Files that are in no room. */
const homeless = (paths: readonly string[]): string[] => paths.filter((path) => !ROOMS.some(({ pattern }) => pattern.test(path)))

const planted = ['server/src/utils.ts', 'server/src/areas/usage/helper.ts', 'portal/src/areas/usage/usage.manager.tsx']
if (homeless(planted).length !== planted.length) {
  console.error('rooms: the guard does not catch a planted file; it cannot be trusted')
  process.exit(1)
}
const found = homeless(tracked)
if (found.length > 0) {
  console.error(
    `rooms: no room for\n  ${found.join('\n  ')}\nPut each where docs/house.md says, or give the room a line in scripts/rooms.ts.`,
  )
  process.exit(1)
}
console.log(`rooms: ${tracked.length} files, each in a known room`)
