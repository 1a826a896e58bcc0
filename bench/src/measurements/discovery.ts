import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { atLeast, atMost, type Finding, median } from '../harness/findings.ts'
import { differenceByChance } from '../harness/rank-test.ts'
import type { World } from '../harness/world.ts'

const PAIRS = 500
const WARM_UP = 20
const FORM = { client_id: 'bench', client_secret: 'bench' }

/** A question in which somebody is named, by a name, an address or a link; its answer must not tell whether there is such a one. */
type Question = (url: string, named: string) => Promise<Response>

const wrongPassword: Question = (url, username) =>
  fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password', username, password: 'wrong', ...FORM }) })

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

interface Probe {
  readonly what: string
  readonly ask: Question
  readonly known: string
  unknown(at: number): string
}

const LINKS = {
  'a registration with a guessed secret': ['registration', '/v1/ec/user-registration'],
  'a new password with a guessed secret': ['reset', '/v1/ec/password-reset'],
} as const
const NEW_PASSWORD = 'Quarry-Otter-29-lantern!'
/** As a mailed link carries it; the secret in it is nobody's. */
const linkOf = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') + 'x'.repeat(43)

/** Makes somebody of a company with single sign-on, and a link of each kind, so that there is somebody known to ask about. */
const probes = async ({ postgres, settings }: World): Promise<Probe[]> => {
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
    const ask: Question = (url, token) => post(`${url}${path}`, { token, password: NEW_PASSWORD })
    links.push({ what, ask, known: linkOf(id), unknown: () => linkOf(randomUUID()) })
  }
  await admin.end()
  return [
    { what: 'a wrong password', ask: wrongPassword, known: 'us', unknown: (at) => `nobody-${at}` },
    {
      what: 'a wrong password at a company (x-brand-name)',
      ask: wrongPassword,
      known: 'sso@orbit.example',
      unknown: (at) => `nobody-${at}@orbit.example`,
    },
    {
      what: 'a request for a new password',
      ask: (url, email) => post(`${url}/v1/ec/password-reset-request`, { email }),
      known: 'us@example.com',
      unknown: (at) => `nobody-${at}@example.com`,
    },
    ...links,
  ]
}

/** Milliseconds until the whole answer was there, with all of it that must be the same. */
const timed = async (ask: Question, url: string, named: string): Promise<{ ms: number; seen: string }> => {
  const begun = performance.now()
  const answer = await ask(url, named)
  const body = await answer.text()
  const ms = performance.now() - begun
  const headers = [...answer.headers].filter(([header]) => !['date', 'x-request-id'].includes(header)).toSorted()
  return { ms, seen: JSON.stringify([answer.status, headers, body]) }
}

const findingsOf = async ({ what, ask, known: somebody, unknown: nobody }: Probe, url: string): Promise<Finding[]> => {
  const known: number[] = []
  const unknown: number[] = []
  const seen = new Set<string>()
  for (let at = -WARM_UP; at < PAIRS; at += 1) {
    const pair = [
      { name: somebody, ms: known },
      { name: nobody(at + WARM_UP), ms: unknown },
    ]
    for (const { name, ms } of at % 2 === 0 ? pair : pair.toReversed()) {
      const answer = await timed(ask, url, name)
      if (at < 0) continue // the first ones warm everything up
      ms.push(answer.ms)
      seen.add(answer.seen)
    }
  }
  const note = ` (medians ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms, ${PAIRS} pairs)`
  const differences = known.map((ms, at) => ms - (unknown[at] ?? 0)) // within a pair, so that a busy machine troubles both alike
  return [
    atMost(`Different answers to ${what}, known and unknown`, seen.size, 1, ''),
    atMost(`Known less unknown in ${what}, median of the pairs`, Math.abs(median(differences)), 5, 'ms', note),
    atLeast(`By chance as different as ${what}, known and unknown (Mann-Whitney p)`, differenceByChance(known, unknown), 0.01, ''),
  ]
}

/** Can it be told from an answer, or from its time, whether somebody is known here? */
export const discoveryFindings = async (world: World): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const probe of await probes(world)) findings.push(...(await findingsOf(probe, world.server.url)))
  return findings
}
