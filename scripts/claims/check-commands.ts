import type { Claim, Verdict } from './claim.ts'

/** Commands by their words (`payments settle`) and scripts by their names, each with its options, and every option of the sources. */
export interface Commands {
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>
  readonly scripts: ReadonlyMap<string, ReadonlySet<string>>
  readonly options: ReadonlySet<string>
}

const OPTION = /(?<![\w-])--[a-z][\w-]*/g
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(start|test)\b)([^&|;]*)/g
const COMMAND = /(?<![\w/.-])counterfoil ([a-z][^&|;#<>]*)/g
/** Lower-case words, then what stands for a value: `payments settle ID --yes`. A sentence of the log has more words. */
const SHORT = /^[a-z-]+ [a-z|-]+(?: [a-z-]+)?(?: (?:--|[A-Z…<[]).*)?$/
const ALWAYS: ReadonlySet<string> = new Set(['--help', '--json', '--version'])
/** Names under which the database lists what is connected to it. */
const CONNECTIONS = /^(?:interactive|background|start)$/

const unknownOption = (text: string, known: ReadonlySet<string>): string | undefined =>
  [...text.matchAll(OPTION)].map(([option]) => option).find((option) => !known.has(option) && !ALWAYS.has(option))

const checkScript = (name: string, rest: string, { scripts }: Commands): Verdict => {
  const known = scripts.get(name)
  if (known === undefined) return `package.json has no script ${name}`
  const option = unknownOption(rest.split(' -- ')[1] ?? '', known)
  return option === undefined ? null : `npm run ${name} has no option ${option}`
}

/** The command with the longest name that these words begin with. */
const findCommand = (words: readonly string[], { commands }: Commands): string | undefined =>
  [3, 2, 1].map((length) => words.slice(0, length).join(' ')).find((name) => commands.has(name))

/** A group alone, or with a word that stands for any: `reseller …`, `import KIND FILE`. */
const isGroup = (words: readonly string[], { commands }: Commands): boolean => {
  const known = words.findIndex((word) => /^(?:…|\$|\[|--|[A-Z]+$)/.test(word))
  const group = words.slice(0, known < 0 ? words.length : known)
  return group.length === 0 || [...commands.keys()].some((name) => name.startsWith(`${group.join(' ')} `))
}

const checkCommand = (text: string, commands: Commands): Verdict => {
  const words = text.trim().split(/\s+/)
  const name = findCommand(words, commands)
  if (name === undefined && CONNECTIONS.test(text)) return null
  if (name === undefined) return isGroup(words, commands) ? null : `counterfoil has no command ${words.slice(0, 2).join(' ')}`
  const option = unknownOption(text, commands.commands.get(name) ?? new Set())
  return option === undefined ? null : `counterfoil ${name} has no option ${option}`
}

/** `sso set|show` says two commands. */
const alternativesOf = (text: string): string[] => {
  const [, before = '', words = '', after = ''] = /^((?:[a-z-]+ )?)([a-z-]+(?:\|[a-z-]+)+)(.*)$/.exec(text) ?? []
  return words === '' ? [text] : words.split('|').map((word) => `${before}${word}${after}`)
}

/** The commands of a code span: after `counterfoil`, or without it when the words begin as those of a group. */
const commandsOfCode = (text: string, commands: Commands): string[] => {
  const typed = text.replace(/^(?:npx )?counterfoil /, '')
  const isShort = SHORT.test(text) && isGroup([text.split(' ')[0] ?? ''], commands)
  return typed !== text || isShort ? alternativesOf(typed) : []
}

const checkLoneOption = (text: string, { options }: Commands): Verdict => {
  const option = unknownOption(text, options)
  return option === undefined ? null : `nothing has the option ${option}`
}

/** What is wrong with the commands of a shell line, or of a code span. */
export const checkCommands = ({ kind, text }: Claim, commands: Commands): Verdict => {
  const line = text.replaceAll(/'[^']*'|"[^"]*"/g, 'VALUE')
  if (kind === 'code' && line.startsWith('--')) return checkLoneOption(line, commands)
  const typed = kind === 'code' ? commandsOfCode(line, commands) : [...line.matchAll(COMMAND)].map(([, words = '']) => words)
  const verdicts = [
    ...[...line.matchAll(SCRIPT)].map(([, run, word = '', rest = '']) => checkScript(run ?? word, rest, commands)),
    ...typed.map((words) => checkCommand(words, commands)),
  ]
  return verdicts.find((verdict) => verdict !== null) ?? null
}
