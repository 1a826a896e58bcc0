import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { minFinding, maxFinding, type Finding, median, percentile } from '../harness/findings.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import { signInHeaders, signInCall, type BenchEnvironment } from '../harness/environment.ts'

const BARE_ARGON2_PROGRAM = fileURLToPath(new URL('../baselines/bare-argon2.ts', import.meta.url))
const REPETITIONS = 5
const SECONDS = 3

const runBareArgon2 = async (): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, [BARE_ARGON2_PROGRAM, String(SECONDS), '2'])
  return (JSON.parse(stdout) as { perSecond: number }).perSecond
}

/** Measures sign-ins per second against bare Argon2id, and how much 16 concurrent sign-ins slow down another user's page. Rounds are interleaved. */
export const measureSignIn = async ({ server }: BenchEnvironment): Promise<Finding[]> => {
  const signInClient = openClient(server.url, 16)
  const pageClient = openClient(server.url, 1)
  const pageCall = { path: '/v1/ec/invoices', headers: await signInHeaders(server.url, 'demo', 220_401) }
  const rates: number[] = []
  const slowdowns: number[] = []
  // Warm up, because Node compiles the server's code as it runs.
  await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: 1 })
  await runClosedLoop(signInClient, signInCall('us'), { clients: 16, seconds: SECONDS })
  for (let round = 0; round < REPETITIONS; round += 1) {
    const bareRate = await runBareArgon2()
    const signIns = await runClosedLoop(signInClient, signInCall('us'), { clients: 16, seconds: SECONDS })
    rates.push(signIns.perSecond / bareRate)
    const idle = await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: SECONDS })
    const [, busy] = await Promise.all([
      runClosedLoop(signInClient, signInCall('us'), { clients: 16, seconds: SECONDS }),
      runClosedLoop(pageClient, pageCall, { clients: 1, seconds: SECONDS }),
    ])
    slowdowns.push(percentile(busy.ms, 0.99) / percentile(idle.ms, 0.99))
  }
  signInClient.close()
  pageClient.close()
  return [
    minFinding(
      'Sign-ins a second : bare Argon2id verifies a second',
      median(rates),
      0.6,
      '×',
      ` (rounds ${rates.map((rate) => rate.toFixed(2)).join(', ')})`,
    ),
    maxFinding(
      'Page p99 with 16 sign-ins in flight : idle',
      median(slowdowns),
      5,
      '×',
      ` (rounds ${slowdowns.map((s) => s.toFixed(2)).join(', ')})`,
    ),
  ]
}
