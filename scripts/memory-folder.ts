import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The folder of a run, with the run's process id. */
const FOLDER = /^counterfoil-test-(\d+)-/
/** Far more than the tests write at once. */
const MIN_FREE_BYTES = 8 * 2 ** 30

/** Whether this machine has a folder in memory with enough room, from which programs may run: the tests unpack a browser. */
const hasMemoryFolder = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === MEMORY)
    // A container may have less memory than its folder promises.
    const isLarge = Math.min(bavail * bsize, process.availableMemory()) >= MIN_FREE_BYTES
    return isLarge && !(mount?.[3] ?? 'noexec').split(',').includes('noexec')
  } catch {
    return false // not every system has these files
  }
}

/** Removes a folder, which a program that is still ending may write to; what stays goes with the next run. */
const remove = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    console.warn(`${folder} could not be removed.`)
  }
}

/**
 * Lets what this process starts write its temporary files to memory, where the machine can: a database is some 1,000 files, which a disk
 * takes ten times as long to create. `TMPDIR` names the folder, which goes when this process ends; one that is set already stays.
 */
export const useMemory = (): void => {
  if (process.env['TMPDIR'] !== undefined || !hasMemoryFolder()) return
  for (const name of readdirSync(MEMORY)) {
    const pid = FOLDER.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(MEMORY, name))
  }
  const folder = mkdtempSync(join(MEMORY, `counterfoil-test-${process.pid}-`))
  chmodSync(folder, 0o1777) // PostgreSQL runs as another user
  process.env['TMPDIR'] = folder
  process.on('exit', () => remove(folder))
}
