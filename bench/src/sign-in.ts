import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atLeast, atMost, type Finding, median, percentile } from './figures.ts'
import { client, closedLoop } from './load.ts'
import { signedIn, signInCall, type World } from './world.ts'

const BARE = fileURLToPath(new URL('bare-argon2.ts', import.meta.url))
const ROUNDS = 5
const SECONDS = 3

const bareArgon2 = async (): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, [BARE, String(SECONDS), '2'])
  return (JSON.parse(stdout) as { perSecond: number }).perSecond
}

/** Sign-ins a second against bare Argon2id, and what 16 sign-ins in flight do to somebody else's page; interleaved. */
export const signInFindings = async ({ server }: World): Promise<Finding[]> => {
  const signers = client(server.url, 16)
  const reader = client(server.url, 1)
  const page = { path: '/v1/ec/invoices', headers: await signedIn(server.url, 'demo', 220_401) }
  const rates: number[] = []
  const slowdowns: number[] = []
  // The server's code is compiled as it runs: a cold one is another measurement.
  await closedLoop(reader, page, { clients: 1, seconds: 1 })
  await closedLoop(signers, signInCall('us'), { clients: 16, seconds: SECONDS })
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await bareArgon2()
    const signIns = await closedLoop(signers, signInCall('us'), { clients: 16, seconds: SECONDS })
    rates.push(signIns.perSecond / bare)
    const idle = await closedLoop(reader, page, { clients: 1, seconds: SECONDS })
    const [, busy] = await Promise.all([
      closedLoop(signers, signInCall('us'), { clients: 16, seconds: SECONDS }),
      closedLoop(reader, page, { clients: 1, seconds: SECONDS }),
    ])
    slowdowns.push(percentile(busy.ms, 0.99) / percentile(idle.ms, 0.99))
  }
  signers.close()
  reader.close()
  return [
    atLeast(
      'Sign-ins a second : bare Argon2id verifies a second',
      median(rates),
      0.6,
      '×',
      ` (rounds ${rates.map((rate) => rate.toFixed(2)).join(', ')})`,
    ),
    atMost(
      'Page p99 with 16 sign-ins in flight : idle',
      median(slowdowns),
      5,
      '×',
      ` (rounds ${slowdowns.map((s) => s.toFixed(2)).join(', ')})`,
    ),
  ]
}
