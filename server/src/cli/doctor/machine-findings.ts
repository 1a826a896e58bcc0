import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { type Config, settingsFile } from '../../config.ts'
import { type Keys, keysFrom, masterKey } from '../../kit/keys.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { bad, type Finding, good, warning } from './finding.ts'

const PORTAL = fileURLToPath(new URL('../../../../portal/dist/index.html', import.meta.url))
const OTHERS = 0o077
const LITTLE_SPACE = 1024 ** 3
const NO_SPACE = 100 * 1024 ** 2

/** What is to be said of the address, the portal's files and the data folder. */
export const fileFindings = async (config: Config): Promise<Finding[]> => [
  address(config),
  existsSync(PORTAL)
    ? good('portal', 'It is built.')
    : warning('portal', 'It is not built: serve answers the API alone.', 'Run npm run build.'),
  ...(await settings()),
  ...(await folder(config.dataDir)),
]

const address = ({ publicUrl }: Config): Finding => {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return good('address', `People reach it under ${publicUrl}.`)
  if (hostname === 'localhost' || hostname.startsWith('127.'))
    return warning(
      'address',
      `PUBLIC_URL is ${publicUrl}: links in mails lead to this machine alone.`,
      'Set PUBLIC_URL to the https address that people use.',
    )
  return bad(
    'address',
    `PUBLIC_URL is ${publicUrl}: passwords and tokens would travel in the open.`,
    'Put a proxy with TLS in front and set PUBLIC_URL to its https address.',
  )
}

const settings = async (): Promise<Finding[]> => {
  const found = await stat(settingsFile()).catch(() => null)
  if (found === null) return []
  const path = resolve(settingsFile())
  if ((found.mode & OTHERS) !== 0)
    return [warning('settings', `Others may read ${path}, which may hold passwords.`, `Run chmod 600 ${path}.`)]
  return [good('settings', `They stand in ${path}; the environment goes before it.`)]
}

const folder = async (dataDir: string): Promise<Finding[]> => {
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    if (found.code === 'ENOENT')
      return [warning('files', `The data folder ${dataDir} is not there yet.`, 'Nothing to do: the first start makes it.')]
    return [
      bad('files', `The data folder ${dataDir} cannot be looked at (${found.code}).`, 'Give this user the right to it, or set DATA_DIR.'),
    ]
  }
  if (!found.isDirectory()) return [bad('files', `${dataDir} is not a folder.`, 'Set DATA_DIR to a folder.')]
  if (!(await isWritable(dataDir)))
    return [bad('files', `This user may not write in ${dataDir}.`, `Make it the owner: chown -R "$USER" ${dataDir}`)]
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free < NO_SPACE) return [bad('files', `The disk of ${dataDir} is full.`, 'Make room.')]
  const space = free < LITTLE_SPACE ? [warning('files', `The disk of ${dataDir} has less than 1 GiB left.`, 'Make room.')] : []
  if ((found.mode & OTHERS) !== 0) return [...space, warning('files', `Others may look into ${dataDir}.`, `Run chmod 700 ${dataDir}.`)]
  return space.length > 0 ? space : [good('files', `${dataDir} belongs to this user alone and has room.`)]
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** The keys, without making any; and what is to be said of them. */
export const keyFindings = (config: Config): { keys: Keys | null; findings: Finding[] } => {
  if (config.masterKey !== null)
    return { keys: keysFrom(config.masterKey), findings: [good('keys', 'The master key comes from MASTER_KEY.')] }
  const path = join(config.dataDir, 'master.key')
  if (!existsSync(path)) {
    const word = existsSync(dirname(path)) ? 'has no master key yet' : 'is not there yet, nor a master key'
    return {
      keys: null,
      findings: [
        warning('keys', `${config.dataDir} ${word}.`, 'For a new installation nothing; for a restored one bring back its master.key.'),
      ],
    }
  }
  try {
    return { keys: keysFrom(masterKey(config.dataDir)), findings: [good('keys', `The master key is in ${path}. Keep a copy of it apart.`)] }
  } catch (error) {
    const words = error instanceof OperatorError ? error.message : `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`
    return { keys: null, findings: [bad('keys', words, 'Restore master.key from its copy; do not delete it, or no password fits.')] }
  }
}

/** Does the mail server let us in? Nothing is sent. */
export const mailFinding = async ({ mailUrl, mailFrom }: Config): Promise<Finding> => {
  const { hostname, port, username } = new URL(mailUrl)
  const where = `${hostname}${port === '' ? '' : `:${port}`}`
  const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  const line = createTransport({
    url: mailUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 10_000,
    requireTLS: username !== '' && !isHere,
  })
  try {
    await line.verify()
    return good('mail', `${where} takes mail; it comes from ${mailFrom}.`)
  } catch (error) {
    const { code = 'no answer', responseCode } = error as { code?: string; responseCode?: number }
    const words = responseCode === undefined ? code : `${code} ${responseCode}`
    const mend =
      code === 'EAUTH' ? 'Mend user and password in MAIL_URL.' : 'Set MAIL_URL to your mail server, and see that this machine reaches it.'
    return bad('mail', `The mail server ${where} does not take mail (${words}): no invitation and no new password arrives.`, mend)
  } finally {
    line.close()
  }
}
