import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { Type } from 'typebox'
import { findMismatch, matchesSchema, withDefaults } from './kit/schema.ts'
import { OperatorError } from './kit/api-error.ts'
import { type Limits, parseLimits } from './rate-limits/limits.ts'
import { readErrorText } from './kit/system-errors.ts'

/** The server's settings as environment variables. Only this file reads them. */
const Environment = Type.Object({
  /** Where the server listens. */
  PORT: Type.String({ default: '3000', pattern: '^\\d{1,5}$' }),
  HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  /** The origin that links in mails and redirects begin with. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+/?$' })),
  /** The folder of the embedded database, files and keys; created when it is missing. */
  DATA_DIR: Type.String({ default: './.counterfoil', minLength: 1 }),
  /** A PostgreSQL server, 15 or newer; without it: the embedded database. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  /** A streaming standby of that server, for reading pages and downloads of usage. */
  READ_DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  /** How far the standby may be behind before usage is read from the primary; milliseconds. */
  READ_MOST_LAG_MS: Type.String({ default: '30000', pattern: '^\\d{1,7}$' }),
  /** 64 hexadecimal digits; without it: the key in DATA_DIR, created on first start. */
  MASTER_KEY: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  /** The port of the sandbox that `npm start` runs beside the demo data. */
  SANDBOX_PORT: Type.String({ default: '3900', pattern: '^\\d{1,5}$' }),
  /** The mail server, as smtp:// or smtps://user:password@host:port; without it: the sandbox's mailbox. */
  MAIL_URL: Type.Optional(Type.String({ pattern: '^smtps?://[^/?#]+/?$' })),
  /** The sender of mails; without it: no-reply at the host of PUBLIC_URL. */
  MAIL_FROM: Type.Optional(Type.String({ pattern: '^[^\\s@<>",;:]+@[^\\s@<>",;:]+$' })),
  /** Where the operator is told of payments that need a person; without it: nowhere. */
  OPERATOR_EMAIL: Type.Optional(Type.String({ pattern: '^[^\\s@<>",;:]+@[^\\s@<>",;:]+$' })),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  /** Addresses of trusted reverse proxies, separated by commas: their X-Forwarded-For is used. Without it: none. */
  TRUSTED_PROXIES: Type.Optional(Type.String({ minLength: 1 })),
  /** `open` answers GET /metrics from anywhere; by default only from this machine. */
  METRICS: Type.Union([Type.Literal('loopback'), Type.Literal('open')], { default: 'loopback' }),
  /** With it, whoever sends it as a bearer token reads GET /metrics, from anywhere, and nobody else. */
  METRICS_TOKEN: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{16,}$' })),
  /** A port of this machine's loopback that answers GET /metrics instead of PORT. */
  METRICS_PORT: Type.Optional(Type.String({ pattern: '^\\d{1,5}$' })),
  /** Rate limits that differ from the defaults: `account=10/15m address=30/1m`. */
  LIMITS: Type.String({ default: '' }),
  /** Ids of resellers whose card form has separate fields for number, expiry and code, separated by commas. */
  SPLIT_CARD_RESELLERS: Type.String({ default: '', pattern: '^(\\d{1,9}(,\\d{1,9})*)?$' }),
  /** `1` allows live payments on the embedded database, which a power failure can damage. */
  ALLOW_EMBEDDED_PAYMENTS: Type.Union([Type.Literal('0'), Type.Literal('1')], { default: '0' }),
  /** The time limit of a request to a payment provider, in milliseconds. */
  PAYMENT_TIMEOUT_MS: Type.String({ default: '30000', pattern: '^[1-9]\\d{2,4}$' }),
  /** A folder with fonts for the PDFs, for letters that no built-in font has. Without it: none. */
  FONTS_DIR: Type.Optional(Type.String({ minLength: 1 })),
  /** How long the server answers "not ready" before it stops listening, in milliseconds. */
  STOP_DELAY_MS: Type.String({ default: '2000', pattern: '^\\d{1,5}$' }),
})

export interface Config {
  readonly port: number
  readonly host: string
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly readDatabaseUrl: string | null
  readonly maxReplicaLagMs: number
  readonly masterKey: Buffer | null
  readonly sandboxPort: number
  readonly mailUrl: string
  readonly mailFrom: string
  readonly operatorEmail: string | null
  readonly logLevel: string
  readonly trustedProxies: readonly string[]
  readonly metricsOpen: boolean
  readonly metricsToken: string | null
  readonly metricsPort: number | null
  readonly limits: Limits
  readonly allowEmbeddedPayments: boolean
  readonly splitCardResellers: ReadonlySet<number>
  readonly paymentTimeoutMs: number
  readonly fontsDir: string | null
  readonly stopDelayMs: number
}

const HINTS: Readonly<Record<string, string>> = {
  PORT: 'a port number',
  SANDBOX_PORT: 'a port number',
  PUBLIC_URL: 'an address such as https://billing.example.com, without a path',
  DATABASE_URL: 'an address such as postgres://user:password@host:5432/database',
  READ_DATABASE_URL: 'an address such as postgres://user:password@standby:5432/database',
  READ_MOST_LAG_MS: 'a number of milliseconds',
  MASTER_KEY: '64 hexadecimal digits',
  MAIL_URL: 'an address such as smtps://user:password@mail.example.com:465',
  MAIL_FROM: 'one email address, such as billing@example.com',
  OPERATOR_EMAIL: 'one email address, such as payments@example.com',
  LOG_LEVEL: 'one of trace, debug, info, warn, error, fatal, silent',
  METRICS: 'loopback or open',
  METRICS_TOKEN: 'at least 16 characters without blanks',
  METRICS_PORT: 'a port number',
  SPLIT_CARD_RESELLERS: 'ids of resellers with commas, such as 3001,3002',
  ALLOW_EMBEDDED_PAYMENTS: '0 or 1',
  PAYMENT_TIMEOUT_MS: 'milliseconds from 100 to 99999',
}

/** The path of the file with the settings that are not in the environment; `counterfoil init` writes it. */
export const settingsFile = (): string => process.env['SETTINGS_FILE'] || 'counterfoil.env'

/** A setting, a comment, or nothing. Node's reader passes over every other line without a word. */
const SETTING_LINE = /^\s*(?:#.*|(?:export\s+)?\w+\s*=.*)?$/

const SETTINGS: readonly string[] = Object.keys(Environment.properties)

/**
 * The settings in the settings file; none where it is missing, unless SETTINGS_FILE names it.
 * @throws OperatorError when the file cannot be read, or has an unknown setting or a line that is none
 */
const readSettingsFile = (): Readonly<Record<string, string | undefined>> => {
  const path = settingsFile()
  let settings: NodeJS.Dict<string>
  try {
    const text = readFileSync(path, 'utf8')
    const unreadable = text.split(/\r?\n/).findIndex((line) => !SETTING_LINE.test(line))
    if (unreadable >= 0) throw new OperatorError(`Line ${unreadable + 1} of the settings file ${path} is not NAME=value.`)
    settings = parseEnv(text)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !process.env['SETTINGS_FILE']) return {}
    throw new OperatorError(`The settings file ${path} cannot be read: ${readErrorText(error)}.`, { cause: error })
  }
  const unknown = Object.keys(settings).find((name) => !SETTINGS.includes(name))
  if (unknown !== undefined) throw new OperatorError(`The settings file ${path} names ${unknown}, which is no setting.`)
  return settings
}

/** The known settings that have a value; empty and unknown ones are left out. */
const pickSettings = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(SETTINGS.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))

/** The settings in the environment variables, unchecked; not those in the settings file. */
export const environmentSettings = (): Record<string, string> => pickSettings(process.env)

/**
 * The settings of this process: from the environment, else from the settings file.
 * @throws OperatorError with a sentence that names the setting and its valid values
 */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = { ...readSettingsFile(), ...environmentSettings() },
): Config => {
  const settings = pickSettings(environment)
  const values = withDefaults(Environment, settings)
  if (!matchesSchema(Environment, values)) {
    const name = findMismatch(Environment, values)?.instancePath.slice(1) ?? 'a setting'
    throw new OperatorError(`The setting ${name} is not usable: it must be ${HINTS[name] ?? 'a value as docs/settings.md describes'}.`)
  }
  const port = parsePort('PORT', values.PORT)
  const sandboxPort = parsePort('SANDBOX_PORT', values.SANDBOX_PORT)
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '')
  const mailUrl = values.MAIL_URL ?? `smtp://127.0.0.1:${sandboxPort + 1}`
  if (!URL.canParse(mailUrl)) throw new OperatorError(`The setting MAIL_URL is not usable: it must be ${HINTS['MAIL_URL']}.`)
  if (values.READ_DATABASE_URL !== undefined && values.DATABASE_URL === undefined)
    throw new OperatorError('READ_DATABASE_URL needs DATABASE_URL: the embedded database has no standby. Set both, or neither.')
  return {
    port,
    host: values.HOST,
    publicUrl,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    readDatabaseUrl: values.READ_DATABASE_URL ?? null,
    maxReplicaLagMs: Number(values.READ_MOST_LAG_MS),
    masterKey: values.MASTER_KEY === undefined ? null : Buffer.from(values.MASTER_KEY, 'hex'),
    sandboxPort,
    mailUrl,
    mailFrom: values.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    operatorEmail: values.OPERATOR_EMAIL ?? null,
    logLevel: values.LOG_LEVEL,
    trustedProxies: values.TRUSTED_PROXIES?.split(',').map(parseProxy) ?? [],
    metricsOpen: values.METRICS === 'open',
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsPort: values.METRICS_PORT === undefined ? null : parsePort('METRICS_PORT', values.METRICS_PORT),
    limits: parseLimits(values.LIMITS),
    splitCardResellers: new Set(values.SPLIT_CARD_RESELLERS.split(',').filter(Boolean).map(Number)),
    allowEmbeddedPayments: values.ALLOW_EMBEDDED_PAYMENTS === '1',
    paymentTimeoutMs: Number(values.PAYMENT_TIMEOUT_MS),
    fontsDir: values.FONTS_DIR ?? null,
    stopDelayMs: Number(values.STOP_DELAY_MS),
  }
}

/** An address, or a network such as 10.0.0.0/8, trimmed. @throws OperatorError for anything else */
const parseProxy = (text: string): string => {
  const [address = '', prefixLength, ...more] = text.trim().split('/')
  const maxPrefixLength = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isNetwork = prefixLength === undefined || (/^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= maxPrefixLength)
  if (maxPrefixLength === 0 || !isNetwork || more.length > 0)
    throw new OperatorError(
      'The setting TRUSTED_PROXIES is not usable: it must be addresses or networks with commas, such as 10.0.0.5,10.1.0.0/16.',
    )
  return text.trim()
}

/** The number of a port, which may be 0. @throws OperatorError above 65535 */
const parsePort = (name: string, text: string): number => {
  const port = Number(text)
  if (port > 65_535) throw new OperatorError(`The setting ${name} is not usable: it must be a port number, at most 65535.`)
  return port
}
