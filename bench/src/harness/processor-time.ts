import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second, on every Linux that Node runs on. */
const TICKS = 100

/** The parent, and the ticks of a process: its own, and those of its children that have ended. Null once it has ended. */
const readStat = (pid: string): { parent: string; own: number; ended: number } | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = (at: number): number => Number(fields[at])
    return { parent: fields[1] ?? '', own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }
  } catch {
    return null
  }
}

/** The seconds of processor that a process of this machine and its children have used so far. */
export const processorSeconds = (pid: number): number => {
  const root = readStat(String(pid))
  if (root === null) throw new Error(`no process ${pid} runs on this machine`)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const living = children.map(readStat).reduce((sum, stat) => (stat?.parent === String(pid) ? sum + stat.own + stat.ended : sum), 0)
  return (root.own + root.ended + living) / TICKS
}
