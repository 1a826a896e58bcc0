import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { toTyped } from '../../server/src/cli/command.ts'
import { loadCommands, SUBJECTS } from '../../server/src/cli/program/subjects.ts'
import type { Commands } from './check-commands.ts'
import type { Facts } from './false-claims.ts'
import { standingNames } from './standing-names.ts'
import { valuesOf } from './values.ts'

const SOURCE = /^(?:\.ci\/run|.*\.(?:tsx?|js|css|html|ndjson|json|sql))$/
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
const WORD = /[\w$]+(?:-[\w$]+)*/g
const OPTION_OF_SCRIPT = /(?:'([\w-]+)'|\b(\w+)): \{ type: '(?:string|boolean)'/g
const PROGRAM = /\.command\('(\w+)'\)|\.option\('(--[\w-]+)'/g

const listFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))

const read = (path: string) => [path, readFileSync(path, 'utf8')] as const

const foldersOf = (path: string): string[] => (path === '.' ? [] : [`${path}/`, ...foldersOf(posix.dirname(path))])

/** The programs that stay, as the server's entry registers them. */
const programsOf = (entry: string): Map<string, Set<string>> => {
  const programs = new Map<string, Set<string>>()
  for (const [, name, option = ''] of entry.matchAll(PROGRAM))
    if (name === undefined) [...programs.values()].at(-1)?.add(option)
    else programs.set(name, new Set())
  return programs
}

const readCommands = async (sources: ReadonlyMap<string, string>): Promise<Commands> => {
  const commands = programsOf(sources.get('server/src/counterfoil.ts') ?? '')
  for (const subject of Object.keys(SUBJECTS))
    for (const { name, options = {}, isHidden } of await loadCommands(subject))
      if (isHidden !== true)
        commands.set(name, new Set(Object.keys(options).flatMap((key) => [`--${toTyped(key)}`, `--no-${toTyped(key)}`])))
  const { scripts: lines } = JSON.parse(sources.get('package.json') ?? '') as { scripts: Record<string, string> }
  const scripts = Object.entries(lines).map(([name, line]) => {
    const source = sources.get(line.replace(/^node (\S+).*$/, '$1')) ?? ''
    return [name, new Set([...source.matchAll(OPTION_OF_SCRIPT)].map(([, quoted, plain]) => `--${quoted ?? plain}`))] as const
  })
  const literal = [...sources.values()].flatMap((source) => source.match(/(?<=['" ])--[a-z][\w-]+/g) ?? [])
  const options = new Set([...literal, ...[...commands.values(), ...scripts.map(([, known]) => known)].flatMap((known) => [...known])])
  return { commands, scripts: new Map(scripts), options }
}

/** What is true of the files of this folder, the root of the repository. */
export const readFacts = async (): Promise<Facts> => {
  const paths = listFiles()
  const documents = new Map(paths.filter((path) => path.endsWith('.md')).map(read))
  const sources = new Map(
    paths.filter((path) => SOURCE.test(path) && !/\.(?:test|e2e)\.tsx?$/.test(path) && path !== 'package-lock.json').map(read),
  )
  const code = [...sources].filter(([path]) => !path.endsWith('.sql')).map(([, text]) => text.replaceAll(COMMENT, ' '))
  const migrations = [...sources].filter(([path]) => path.endsWith('.sql')).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const values = new Map<string, number[]>()
  for (const [name, value] of code.flatMap(valuesOf)) values.set(name, [...(values.get(name) ?? []), value])
  return {
    files: { paths: [...new Set(paths.flatMap((path) => [path, ...foldersOf(posix.dirname(path))]))].join('\n'), documents },
    commands: await readCommands(sources),
    words: new Set([...code.flatMap((text) => text.match(WORD) ?? []), ...standingNames(migrations.map(([, text]) => text))]),
    values,
  }
}
