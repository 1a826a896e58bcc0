import { accessSync, chmodSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { environmentSettings, readConfig, settingsFile } from '../config.ts'
import { explainFolderErrors } from '../kit/data-folder.ts'
import { createMasterKey, masterKeyFile } from '../kit/keys.ts'
import { OperatorError } from '../kit/api-error.ts'
import { command, flag } from './command.ts'
import { fileErrorText } from '../kit/system-errors.ts'
import { askForKey } from './init-key.ts'

/** The questions in order: the setting, the question, and the value of an empty answer. */
const QUESTIONS = [
  [
    'DATABASE_URL',
    'PostgreSQL server, as postgres://user:password@host:5432/database (empty: the embedded database, for a first look)',
    '',
  ],
  ['PUBLIC_URL', 'The address under which people reach the portal', 'http://localhost:3000'],
  ['HOST', 'The address of this machine to listen on', '127.0.0.1'],
  ['PORT', 'The port to listen on', '3000'],
  ['DATA_DIR', 'The data folder: keys, and the embedded database', './.counterfoil'],
  ['MAIL_URL', 'The mail server, as smtps://user:password@mail.example.com:465 (empty: none yet)', ''],
  ['MAIL_FROM', 'The address that mails come from (empty: no-reply at the portal’s host)', ''],
  ['TRUSTED_PROXIES', 'Addresses of the reverse proxies in front, with commas (empty: none)', ''],
] as const

/**
 * Asks, checks each answer, writes the settings file (readable by this user only) and creates the master key of a new database.
 * A setting in the environment counts as answered, so that no password needs to be typed.
 * @throws OperatorError when the file exists, standard input is not a terminal, a setting is not usable, or the database has another key
 */
export const initCommand = command({
  name: 'init',
  about: 'ask, write a settings file and make the master key; what the environment names is taken as answered',
  options: { yes: flag('ask nothing: the settings file gets what the environment names') },
  runWithoutDatabase: async (io, _, { yes }) => {
    const path = resolve(settingsFile())
    if (existsSync(path)) throw new OperatorError(`The settings file ${path} is there already: edit it, or move it away first.`)
    const answers = yes === true ? environmentSettings() : await askQuestions()
    const config = readConfig(answers)
    assertWritable(path)
    const lines = Object.entries(answers).map(([name, value]) => `${name}=${toEnvValue(value)}\n`)
    const permission = await explainFolderErrors(config.dataDir, () => askForKey(config))
    const keyMade = permission.state === 'needed'
    writeSettingsFile(
      path,
      `# Settings of Counterfoil; docs/settings.md describes them. What the environment names goes before.\n${lines.join('')}`,
    )
    if (keyMade) await makeKey(config.dataDir, path)
    if (io.json) io.out(JSON.stringify({ settings: path, dataDir: resolve(config.dataDir), keyMade, names: Object.keys(answers) }))
    else {
      io.out(`Settings: ${path}`)
      if (keyMade) io.out(`Master key: ${resolve(masterKeyFile(config.dataDir))}. Keep a copy of it apart: without it no password fits.`)
      if (permission.state === 'unknown') io.out(`${permission.reason} The first start makes the master key.`)
      io.out('Next: counterfoil doctor, then counterfoil serve.')
    }
    return 0
  },
})

/** Asks at the terminal for each setting that the environment does not have. Resolves to both. @throws OperatorError without a terminal */
const askQuestions = async (): Promise<Record<string, string>> => {
  if (process.stdin.isTTY !== true)
    throw new OperatorError(
      'Nobody is there to ask. Set the settings in the environment and say counterfoil init --yes; docs/settings.md lists them.',
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const environment = environmentSettings()
  const answers: Record<string, string> = { ...environment }
  try {
    for (const [name, question, defaultValue] of QUESTIONS) {
      if (environment[name] === undefined)
        await askUntilValid(
          answers,
          name,
          () => terminal.question(`${question}${defaultValue === '' ? '' : ` [${defaultValue}]`}: `),
          defaultValue,
        )
    }
    return answers
  } finally {
    terminal.close()
  }
}

/** Repeats the question until the answer is valid, and puts it into `answers`. An empty answer without a default adds nothing. */
const askUntilValid = async (
  answers: Record<string, string>,
  name: string,
  askQuestion: () => Promise<string>,
  defaultValue: string,
): Promise<void> => {
  for (;;) {
    const value = (await askQuestion()).trim() || defaultValue
    try {
      readConfig(value === '' ? answers : { ...answers, [name]: value })
      if (value !== '') answers[name] = value
      return
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      process.stderr.write(`${error.message}\n`)
    }
  }
}

/** Quotes a value so that `parseEnv` reads it back. @throws OperatorError when no quoting can hold it */
const toEnvValue = (value: string): string => {
  if (/^[\w:/@.,%+=?&~-]*$/.test(value)) return value
  const quote = ['"', "'", '`'].find((mark) => !value.includes(mark))
  if (quote === undefined || /[\n\r\\]/.test(value))
    throw new OperatorError('A setting holds characters that no settings file can keep; set it in the environment.')
  return `${quote}${value}${quote}`
}

/** Checks that this user may create a file in the path's folder. @throws OperatorError where not */
const assertWritable = (path: string): void => {
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw new OperatorError(`The settings file ${path} cannot be written: ${fileErrorText(error) ?? 'the system refuses it'}.`, {
      cause: error,
    })
  }
}

/** Creates the settings file, readable by this user only. @throws OperatorError when it exists or cannot be written */
const writeSettingsFile = (path: string, text: string): void => {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    chmodSync(path, 0o600)
  } catch (error) {
    // A full disk leaves an empty file.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true })
    throw new OperatorError(`The settings file ${path} cannot be written: ${fileErrorText(error) ?? 'the system refuses it'}.`, {
      cause: error,
    })
  }
}

/**
 * Creates the master key in the data folder. Where that fails, deletes the settings file, so that nothing is left of the init, and throws.
 */
const makeKey = async (dataDir: string, settingsPath: string): Promise<void> => {
  try {
    await explainFolderErrors(dataDir, async () => createMasterKey(dataDir))
  } catch (error) {
    rmSync(settingsPath, { force: true })
    throw error
  }
}
