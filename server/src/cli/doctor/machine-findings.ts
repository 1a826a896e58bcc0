import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { type Config, settingsFile } from '../../config.ts'
import { masterKeyFile, readMasterKey } from '../../kit/keys.ts'
import { createHttpClient } from '../../kit/outgoing-http.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { badFinding, type Finding, goodFinding, warningFinding } from './finding.ts'
import { listenErrorText, readErrorText } from '../../kit/system-errors.ts'

const PORTAL_INDEX = fileURLToPath(new URL('../../../../portal/dist/index.html', import.meta.url))
const GROUP_AND_OTHERS_MODE = 0o077
const WARNING_FREE_BYTES = 1024 ** 3
const MIN_FREE_BYTES = 100 * 1024 ** 2

/** The findings about the public address, the portal's files, the settings file and the data folder. */
export const fileFindings = async (config: Config): Promise<Finding[]> => [
  addressFinding(config),
  await portFinding(config),
  existsSync(PORTAL_INDEX)
    ? goodFinding('portal', 'It is built.')
    : warningFinding('portal', 'It is not built: serve answers the API alone.', 'Run npm run build.'),
  ...(await settingsFindings()),
  ...(await folderFindings(config.dataDir)),
]

/** Judges PUBLIC_URL by its text alone: https is good, http on this machine a warning, any other http bad. */
const addressFinding = ({ publicUrl }: Config): Finding => {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return goodFinding('address', `People reach it under ${publicUrl}.`)
  if (hostname === 'localhost' || hostname.startsWith('127.'))
    return warningFinding(
      'address',
      `PUBLIC_URL is ${publicUrl}: links in mails lead to this machine alone.`,
      'Set PUBLIC_URL to the https address that people use.',
    )
  return badFinding(
    'address',
    `PUBLIC_URL is ${publicUrl}: passwords and tokens would travel in the open.`,
    'Put a proxy with TLS in front and set PUBLIC_URL to its https address.',
  )
}

/** Whether HOST and PORT can be listened on. A port that is taken is good where our own server answers on it. */
const portFinding = async ({ host, port }: Config): Promise<Finding> => {
  const code = await tryListening(host, port)
  if (code === null) return goodFinding('port', `Port ${port} is free.`)
  if (code !== 'EADDRINUSE')
    return badFinding(
      'port',
      `Nobody can listen at ${host}, port ${port}: ${listenErrorText({ code })}.`,
      'Choose an address of this machine with HOST and a port with PORT.',
    )
  return (await isOurServer(host, port))
    ? goodFinding('port', `The server listens at port ${port}.`)
    : badFinding('port', `Port ${port} is taken by another program.`, 'Stop it, or choose another port with PORT.')
}

/** Listens for a moment and stops. Resolves to null when that worked, else to the error's code, such as EADDRINUSE. */
const tryListening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'no reason given'))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })

const ANYWHERE = /^(0\.0\.0\.0|::)$/

/** Whether GET /healthz at this address answers as Counterfoil does. False for every failure. */
const isOurServer = async (host: string, port: number): Promise<boolean> => {
  const address = ANYWHERE.test(host) ? '127.0.0.1' : host
  const http = createHttpClient({ timeoutMs: 2_000, scrub: (text) => text, record: () => undefined })
  try {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/healthz`
    const { text } = await http.send({ method: 'GET', url, headers: {} })
    return (JSON.parse(text) as { status?: string }).status === 'alive'
  } catch {
    return false
  }
}

/** Whether other users may read the settings file. No finding where there is no such file. */
const settingsFindings = async (): Promise<Finding[]> => {
  const stats = await stat(settingsFile()).catch(() => null)
  if (stats === null) return []
  const path = resolve(settingsFile())
  if ((stats.mode & GROUP_AND_OTHERS_MODE) !== 0)
    return [warningFinding('settings', `Others may read ${path}, which may hold passwords.`, `Run chmod 600 ${path}.`)]
  return [goodFinding('settings', `They stand in ${path}; the environment goes before it.`)]
}

/** Whether the data folder exists, this user alone may write and look into it, and its disk has room. One that is missing is a warning. */
const folderFindings = async (dataDir: string): Promise<Finding[]> => {
  const stats = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error)
  if (stats instanceof Error) {
    if (stats.code === 'ENOENT')
      return [warningFinding('files', `The data folder ${dataDir} is not there yet.`, 'Nothing to do: the first start makes it.')]
    return [
      badFinding(
        'files',
        `The data folder ${dataDir} cannot be looked at: ${readErrorText(stats)}.`,
        'Give this user the right to it, or set DATA_DIR.',
      ),
    ]
  }
  if (!stats.isDirectory()) return [badFinding('files', `${dataDir} is not a folder.`, 'Set DATA_DIR to a folder.')]
  if (!(await isWritable(dataDir)))
    return [badFinding('files', `This user may not write in ${dataDir}.`, `Make it the owner: chown -R "$USER" ${dataDir}`)]
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free < MIN_FREE_BYTES) return [badFinding('files', `The disk of ${dataDir} is full.`, 'Make room.')]
  const space = free < WARNING_FREE_BYTES ? [warningFinding('files', `The disk of ${dataDir} has less than 1 GiB left.`, 'Make room.')] : []
  if ((stats.mode & GROUP_AND_OTHERS_MODE) !== 0)
    return [...space, warningFinding('files', `Others may look into ${dataDir}.`, `Run chmod 700 ${dataDir}.`)]
  return space.length > 0 ? space : [goodFinding('files', `${dataDir} belongs to this user alone and has room.`)]
}

/** Whether this user may create files in the folder. */
const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** Whether a master key is in MASTER_KEY or the data folder. A missing one is a warning, an unreadable file is bad. Creates none. */
export const keyFinding = (config: Config): Finding => {
  if (config.masterKey !== null) return goodFinding('keys', 'The master key comes from MASTER_KEY.')
  const path = masterKeyFile(config.dataDir)
  try {
    if (readMasterKey(config.dataDir) !== null) return goodFinding('keys', `The master key is in ${path}. Keep a copy of it apart.`)
  } catch (error) {
    const reason = error instanceof OperatorError ? error.message : `${path} cannot be read: ${readErrorText(error)}.`
    return badFinding('keys', reason, 'Restore master.key from its copy; do not delete it, or no password fits.')
  }
  const state = existsSync(config.dataDir) ? 'has no master key yet' : 'is not there yet, nor a master key'
  return warningFinding(
    'keys',
    `${config.dataDir} ${state}.`,
    'For a new installation nothing; for a restored one bring back its master.key.',
  )
}

/** Whether the mail server of MAIL_URL can be reached and accepts the login. Sends no mail. */
export const mailFinding = async ({ mailUrl, mailFrom, operatorEmail }: Config): Promise<Finding> => {
  const { hostname, port, username } = new URL(mailUrl)
  const where = `${hostname}${port === '' ? '' : `:${port}`}`
  const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  const transport = createTransport({
    url: mailUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    requireTLS: username !== '' && !isHere,
  })
  try {
    await transport.verify()
    return goodFinding(
      'mail',
      `${where} takes mail; it comes from ${mailFrom}. ${
        operatorEmail === null
          ? 'Of payments that need a person nobody is told by mail: OPERATOR_EMAIL is not set.'
          : `${operatorEmail} is told of payments that need a person.`
      }`,
    )
  } catch (error) {
    const { code = 'no answer', responseCode } = error as { code?: string; responseCode?: number }
    const reason = responseCode === undefined ? code : `${code} ${responseCode}`
    const remedy =
      code === 'EAUTH' ? 'Mend user and password in MAIL_URL.' : 'Set MAIL_URL to your mail server, and see that this machine reaches it.'
    return badFinding('mail', `The mail server ${where} does not take mail (${reason}): no invitation and no new password arrives.`, remedy)
  } finally {
    transport.close()
  }
}
