import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Attempts while other processes clear a stale lock, which takes them microseconds. */
const MAX_ATTEMPTS = 100

/** The embedded database's folder is in use by another running process. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop that process first, or choose another folder with DATA_DIR.`)
  }
}

interface Holder {
  readonly pid: number
  /** The process's start time in clock ticks: tells a reused process id from the real holder. */
  readonly born: string | null
}

/** The start time of a process in clock ticks, read from /proc; null where that is missing. */
const processStartTime = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** Whether the holder of a lock still runs, and its process id was not given to another process. */
const isAlive = ({ pid, born }: Holder): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = processStartTime(pid)
  return born === null || now === null || now === born
}

/** The process that holds a lock's file: null when the file names none, undefined when there is no file. */
const holderOf = (file: string): Holder | null | undefined => {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof parsed === 'object' && parsed !== null && 'pid' in parsed && typeof parsed.pid === 'number' ? (parsed as Holder) : null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null
  }
}

/** Whether a lock's holder is dead or unreadable. False where there is no lock (undefined). */
const isStale = (holder: Holder | null | undefined): boolean => holder === null || (holder !== undefined && !isAlive(holder))

/**
 * Takes the lock for this process; false when the file exists, stale or not.
 * Writes a temporary file and links it, so that a lock never exists without its holder's name.
 */
const tryLock = (file: string): boolean => {
  const temporaryFile = `${file}.${randomUUID()}`
  const holder: Holder = { pid: process.pid, born: processStartTime(process.pid) }
  try {
    writeFileSync(temporaryFile, JSON.stringify(holder), { mode: 0o600, flag: 'wx' })
    linkSync(temporaryFile, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporaryFile, { force: true })
  }
}

/** Removes a stale lock. Only one process does so at a time: otherwise it could remove the lock that another has just taken. */
const clearStaleLock = (file: string): void => {
  const guard = `${file}.clearing`
  if (!tryLock(guard)) {
    if (isStale(holderOf(guard))) rmSync(guard, { force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10) // the other process needs a moment
    return
  }
  try {
    if (isStale(holderOf(file))) rmSync(file, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

/**
 * Locks the folder for this process by a file beside it, `<folder>.lock`, with the process's id: two engines on one folder lose writes
 * without an error. The lock of a dead process is replaced.
 * @returns unlocks the folder
 * @throws FolderInUse when a living process holds the lock
 */
export const lockFolder = (folder: string): (() => void) => {
  const file = `${folder}.lock`
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (tryLock(file)) return () => rmSync(file, { force: true })
    const holder = holderOf(file)
    if (holder && isAlive(holder)) throw new FolderInUse(folder, holder.pid)
    clearStaleLock(file)
  }
  throw new FolderInUse(folder, holderOf(file)?.pid ?? 0)
}
