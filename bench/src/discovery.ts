import { atLeast, atMost, type Finding, median } from './figures.ts'
import { differenceByChance } from './rank-test.ts'
import type { World } from './world.ts'

const PAIRS = 500
const FORM = { client_id: 'bench', client_secret: 'bench' }

/** One question about a name; gives its answer, which must not tell whether the name is known. */
type Question = (url: string, name: string) => Promise<Response>

const QUESTIONS: Readonly<Record<string, Question>> = {
  'a wrong password': (url, name) =>
    fetch(`${url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username: name, password: 'wrong', ...FORM }),
    }),
  'a request for a new password': (url, name) =>
    fetch(`${url}/v1/ec/password-reset-request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@example.com` }),
    }),
}

/** Milliseconds until the whole answer was there, with all of it that must be the same. */
const timed = async (ask: Question, url: string, name: string): Promise<{ ms: number; seen: string }> => {
  const begun = performance.now()
  const answer = await ask(url, name)
  const body = await answer.text()
  const ms = performance.now() - begun
  const headers = [...answer.headers].filter(([header]) => !['date', 'x-request-id'].includes(header)).toSorted()
  return { ms, seen: JSON.stringify([answer.status, headers, body]) }
}

const findingsOf = async (what: string, ask: Question, url: string): Promise<Finding[]> => {
  const known: number[] = []
  const unknown: number[] = []
  const seen = new Set<string>()
  for (let at = -20; at < PAIRS; at += 1) {
    const pair = [
      { name: 'us', ms: known },
      { name: `nobody-${at + 20}`, ms: unknown },
    ]
    for (const { name, ms } of at % 2 === 0 ? pair : pair.toReversed()) {
      const answer = await timed(ask, url, name)
      if (at < 0) continue // the first ones warm everything up
      ms.push(answer.ms)
      seen.add(answer.seen)
    }
  }
  const note = ` (${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms, ${PAIRS} pairs)`
  return [
    atMost(`Different answers to ${what}, known and unknown`, seen.size, 1, ''),
    atMost(`Between the medians of ${what}, known and unknown`, Math.abs(median(known) - median(unknown)), 5, 'ms', note),
    atLeast(`By chance as different as ${what}, known and unknown (Mann-Whitney p)`, differenceByChance(known, unknown), 0.01, ''),
  ]
}

/** Can it be told from an answer, or from its time, whether somebody is known here? */
export const discoveryFindings = async ({ server }: World): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const [what, ask] of Object.entries(QUESTIONS)) findings.push(...(await findingsOf(what, ask, server.url)))
  return findings
}
