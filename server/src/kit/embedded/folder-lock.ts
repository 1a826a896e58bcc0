import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'

/** The embedded database's folder is in use by another process that lives. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop that process first, or choose another folder with DATA_DIR.`)
  }
}

interface Holder {
  readonly pid: number
  /** When the process started, as the system counts it: tells a reused process number from the real holder. */
  readonly born: string | null
}

const bornAt = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const lives = ({ pid, born }: Holder): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = bornAt(pid)
  return born === null || now === null || now === born
}

const holderOf = (file: string): Holder | null => {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof read === 'object' && read !== null && 'pid' in read && typeof read.pid === 'number' ? (read as Holder) : null
  } catch {
    return null
  }
}

const claim = (file: string): boolean => {
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, JSON.stringify({ pid: process.pid, born: bornAt(process.pid) } satisfies Holder))
    closeSync(handle)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes the folder for this process alone; two engines on one folder lose writes without an error.
 * A lock left by a dead process is set aside; a live holder is never robbed.
 * @returns gives the folder back
 * @throws FolderInUse
 */
export const lockFolder = (folder: string): (() => void) => {
  const file = `${folder}.lock`
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (claim(file)) return () => rmSync(file, { force: true })
    const holder = holderOf(file)
    if (holder !== null && lives(holder)) throw new FolderInUse(folder, holder.pid)
    // Renaming is atomic: of two processes that find the same dead lock, one moves it and the other finds it gone.
    const aside = `${file}.${process.pid}.stale`
    try {
      renameSync(file, aside)
      rmSync(aside, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new FolderInUse(folder, holderOf(file)?.pid ?? 0)
}
