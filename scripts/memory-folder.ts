import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Far more than the tests write at once: a container may have less memory than its folder promises. */
const MIN_FREE_BYTES = 8 * 2 ** 30

/** Whether this machine has a folder in memory with enough room, from which programs may run: the tests unpack a browser. */
const hasMemoryFolder = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES && mount !== undefined && !mount[3]?.split(',').includes('noexec')
  } catch {
    return false // not every system has these files
  }
}

/**
 * Lets what this process starts write its temporary files to memory, where the machine can: a database is some 1,000 files, which a disk
 * takes ten times as long to create. `TMPDIR` names the folder, which goes when this process ends; one that is set already stays.
 */
export const useMemory = (): void => {
  if (process.env['TMPDIR'] !== undefined || !hasMemoryFolder()) return
  const folder = mkdtempSync(join(MEMORY, 'counterfoil-test-'))
  chmodSync(folder, 0o1777) // PostgreSQL runs as another user
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
}
