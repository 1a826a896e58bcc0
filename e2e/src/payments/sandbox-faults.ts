import { expect } from '../support/expect.ts'
import { testEnvironment } from '../support/test-environment.ts'

interface Fault {
  readonly operation: string
  readonly kind: string
  /** Whether the provider carries out what it gives no proper answer to. */
  readonly booked?: boolean
  readonly times?: number
  readonly ms?: number
}

/** Makes the sandbox's provider misbehave at its next call, or at so many. */
export const injectFault = async (provider: string, fault: Fault): Promise<void> => {
  const answer = await fetch(`${testEnvironment().sandboxUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider, times: 1, ...fault }),
  })
  expect(answer.ok, await answer.text()).toBe(true)
}

/** Lets the sandbox's providers send what they are slow to answer. */
export const releaseSlowAnswers = async (): Promise<void> => {
  const answer = await fetch(`${testEnvironment().sandboxUrl}/faults/release`, { method: 'POST' })
  expect(answer.ok, await answer.text()).toBe(true)
}

/** Lets the next charge of the sandbox's provider be declined. */
export const declineNextCharge = (provider: string): Promise<void> =>
  injectFault(provider, { operation: 'charge', kind: 'decline', booked: false })
