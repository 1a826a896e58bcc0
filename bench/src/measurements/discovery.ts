import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { minFinding, maxFinding, type Finding, median } from '../harness/findings.ts'
import { mannWhitneyP } from '../harness/rank-test.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

const PAIRS = 500
const WARM_UP = 20
const FORM = { client_id: 'bench', client_secret: 'bench' }

/** A request with a user name, an email address or a link's token; its response must not reveal whether that exists. */
type SendProbe = (url: string, identifier: string) => Promise<Response>

const askWithWrongPassword: SendProbe = (url, username) =>
  fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password', username, password: 'wrong', ...FORM }) })

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

interface Probe {
  readonly what: string
  readonly send: SendProbe
  readonly known: string
  unknown(index: number): string
}

const LINKS = {
  'a registration with a guessed secret': ['registration', '/v1/ec/user-registration'],
  'a new password with a guessed secret': ['reset', '/v1/ec/password-reset'],
} as const
const NEW_PASSWORD = 'Quarry-Otter-29-lantern!'
/** A token as a mailed link carries it, with a wrong secret. */
const linkToken = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + 'x'.repeat(43)

/** Creates a user of an organization with single sign-on and a link of each kind, and returns a probe for each request. */
const createProbes = async ({ postgres, settings }: BenchEnvironment): Promise<Probe[]> => {
  const database = new URL(postgres.adminUrl)
  database.pathname = new URL(settings['DATABASE_URL'] ?? '').pathname
  const admin = new pg.Client({ connectionString: database.href })
  await admin.connect()
  await admin.query(`update app_user set username = 'sso@orbit.example' where username = 'sso'`)
  const links = []
  for (const [what, [kind, path]] of Object.entries(LINKS)) {
    const id = randomUUID()
    await admin.query(
      `insert into one_time_link (id, kind, user_id, secret_hash, created_at, expires_at)
       select $1, $2, id, $3, now(), now() + interval '1 hour' from app_user where username = 'eu'`,
      [id, kind, randomBytes(32)],
    )
    const send: SendProbe = (url, token) => post(`${url}${path}`, { token, password: NEW_PASSWORD })
    links.push({ what, send, known: linkToken(id), unknown: () => linkToken(randomUUID()) })
  }
  await admin.end()
  return [
    { what: 'a wrong password', send: askWithWrongPassword, known: 'us', unknown: (index) => `nobody-${index}` },
    {
      what: 'a wrong password at an organization',
      send: askWithWrongPassword,
      known: 'sso@orbit.example',
      unknown: (index) => `nobody-${index}@orbit.example`,
    },
    {
      what: 'a request for a new password',
      send: (url, email) => post(`${url}/v1/ec/password-reset-request`, { email }),
      known: 'us@example.com',
      unknown: (index) => `nobody-${index}@example.com`,
    },
    ...links,
  ]
}

/** The milliseconds until the whole response was there, and the parts of it that must not differ. */
const timeAnswer = async (send: SendProbe, url: string, identifier: string): Promise<{ ms: number; comparable: string }> => {
  const startedAt = performance.now()
  const answer = await send(url, identifier)
  const body = await answer.text()
  const ms = performance.now() - startedAt
  const headers = [...answer.headers].filter(([header]) => !['date', 'x-request-id'].includes(header)).toSorted()
  return { ms, comparable: JSON.stringify([answer.status, headers, body]) }
}

const measureProbe = async ({ what, send, known: knownIdentifier, unknown: unknownIdentifier }: Probe, url: string): Promise<Finding[]> => {
  const known: number[] = []
  const unknown: number[] = []
  const distinctAnswers = new Set<string>()
  for (let index = -WARM_UP; index < PAIRS; index += 1) {
    const pair = [
      { name: knownIdentifier, ms: known },
      { name: unknownIdentifier(index + WARM_UP), ms: unknown },
    ]
    for (const { name, ms } of index % 2 === 0 ? pair : pair.toReversed()) {
      const answer = await timeAnswer(send, url, name)
      if (index < 0) continue // warm-up
      ms.push(answer.ms)
      distinctAnswers.add(answer.comparable)
    }
  }
  const note = ` (medians ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms, ${PAIRS} pairs)`
  const differences = known.map((ms, index) => ms - (unknown[index] ?? 0)) // within a pair, so that a busy machine affects both alike
  return [
    maxFinding(`Different responses to ${what}, known and unknown`, distinctAnswers.size, 1, ''),
    maxFinding(`Known less unknown in ${what}, median of the pairs`, Math.abs(median(differences)), 5, 'ms', note),
    minFinding(`By chance as different as ${what}, known and unknown (Mann-Whitney p)`, mannWhitneyP(known, unknown), 0.01, ''),
  ]
}

/** Measures whether a response, or its time, reveals that a user or a link exists. */
export const measureDiscovery = async (environment: BenchEnvironment): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const probe of await createProbes(environment)) findings.push(...(await measureProbe(probe, environment.server.url)))
  return findings
}
