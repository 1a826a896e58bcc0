import { expect, inject, onTestFinished, test } from 'vitest'
import { testSandbox } from '../sandbox.ts'
import { killServers, serverSettings } from './killed-servers.ts'
import { findDriver } from '../providers/provider-drivers.ts'
import { createServerLocation } from './server-location.queries.ts'

const kills = Number(process.env['KILLS'] ?? 2)
const provider = findDriver(process.env['KILL_PROVIDER'] ?? 'stripe')

test(`[PAY-01] a server that is killed ${kills} times in the middle of payments pays nothing twice and loses no payment`, async () => {
  const sandbox = await testSandbox()
  onTestFinished(() => sandbox.close())
  const begun = performance.now()
  const counts = await killServers(serverSettings(await createServerLocation()), sandbox, provider, kills)
  console.log(
    `kill -9, ${provider.name}, ${inject('testDatabase').kind}: ${JSON.stringify(counts)} in ${Math.round((performance.now() - begun) / 1_000)} s`,
  )
  expect(counts).toMatchObject({ kills, double: 0, lost: 0, stuck: 0, ...(provider.leavesToOperator ? {} : { queued: 0 }) })
  expect(counts.charges).toBeGreaterThan(0)
}, 7_200_000)
