import { command, type CommandIo } from '../command.ts'
import type { Finding } from './finding.ts'

/** Changes nothing. Exit code 1 when a finding is bad. */
export const doctorCommand = command({
  name: 'doctor',
  about: 'say what is wrong and how to mend it: settings, files, keys, database, role, clock, mail',
  runWithoutDatabase: async (io) => {
    const { examineInstallation } = await import('./examine-installation.ts') // loads much that the list of commands does not need
    const findings = await examineInstallation()
    const isBad = findings.some(({ state }) => state === 'bad')
    if (io.json) io.out(JSON.stringify({ ok: !isBad, findings }))
    else printFindings(io, findings)
    return isBad ? 1 : 0
  },
})

const STATE_LABELS = { good: 'ok  ', warning: 'note', bad: 'BAD ' } as const

/** Prints a line for each finding, its remedy below, and at last how many are bad. */
const printFindings = (io: CommandIo, findings: readonly Finding[]): void => {
  for (const { about, state, says, mend } of findings) {
    io.out(`${STATE_LABELS[state]}  ${about.padEnd(9)} ${says}`)
    if (mend !== undefined) io.out(`                ${mend.replaceAll('\n', '\n                ')}`)
  }
  const count = findings.filter(({ state }) => state === 'bad').length
  io.out(count === 0 ? 'Nothing is in the way.' : `${count} ${count === 1 ? 'thing is' : 'things are'} bad.`)
}
