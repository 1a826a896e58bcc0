/**
 * Looks at every statement that the server's tests send, and fails the test that is the first to send one which a distributed database
 * refuses or answers wrongly (statement-rules.ts). Vitest runs this file before each test file.
 */
import { afterAll, afterEach, expect } from 'vitest'
import { setListening, setUsageApart, takeFaults } from './sent-statements.ts'

/** They send what no request sends: to see that row-level security holds without `customer_id`. */
const ATTACKS = [
  'session/row-level-security.test.ts',
  'session/isolation.test.ts',
  'session/worker-isolation.test.ts',
  'demo/demo-data.test.ts',
  'doctor/distribution-findings.test.ts',
]

/** They open stores of their own. */
const OWN_STORES = ['usage/usage-standby.test.ts']

const isAmong = (files: readonly string[]): boolean => files.some((file) => expect.getState().testPath?.endsWith(file))

const failOnFaults = (): void => {
  const faults = takeFaults()
  if (faults.length > 0) throw new Error(`Sent, and must not be (server/test/statements):\n${faults.join('\n\n')}`)
}

setListening(!isAmong(ATTACKS))
setUsageApart(!isAmong(OWN_STORES))
afterEach(failOnFaults)
afterAll(failOnFaults)
