import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults/faults.ts'
import { cutConnection, sendGarbage, waitUnlessClosed } from './fault-responses.ts'
import type { WebhookBatch } from './webhook-queue.ts'

/** An outcome that a fault forces on a request. `script-action`: an action that only the provider's own script in the browser can take. */
export type ForcedOutcome = 'decline' | 'action' | 'script-action'

interface ForcedRun<Handled> {
  readonly fault: Fault | undefined
  /** The outcomes that the request can have; the others do not change it. */
  readonly outcomes: readonly ForcedOutcome[]
  readonly run: (outcome?: ForcedOutcome) => Handled
  /** Answers a decline of a request that cannot be declined. */
  readonly declineInstead: () => Handled
}

/**
 * Runs a request with the outcome that a fault forces; for a wrong amount a payment is declined, and only the answer claims otherwise.
 * Undefined when the fault prevents the request.
 */
export const runWithFault = <Handled>({ fault, outcomes, run, declineInstead }: ForcedRun<Handled>): Handled | undefined => {
  if (fault === undefined || fault.booked) return run()
  const canDecline = outcomes.includes('decline')
  switch (fault.kind) {
    case 'decline':
      return canDecline ? run('decline') : declineInstead()
    case 'wrong-amount':
      return run(canDecline ? 'decline' : undefined)
    case 'action':
    case 'script-action':
      return run(outcomes.includes(fault.kind) ? fault.kind : undefined)
    default:
      return undefined
  }
}

interface FaultyAnswer<Answer> {
  readonly fault: Fault | undefined
  readonly answer: Answer
  /** Sends an answer as it is. */
  readonly send: (answer: Answer) => FastifyReply
  /** Sends the provider's own failure. */
  readonly fail: () => FastifyReply
  /** The answer with the false claim of the fault. */
  readonly tamper: (answer: Answer, fault: Fault) => Answer
  readonly webhooks?: WebhookBatch | undefined
  /** How long the answer takes without a fault, in milliseconds. */
  readonly delayMs?: number | undefined
}

/** Sends the answer, distorted by the fault, and the webhook events: after the response, or before a slow one. */
export const sendWithFault = async <Answer>(
  reply: FastifyReply,
  { fault, answer, send, fail, tamper, webhooks, delayMs = 0 }: FaultyAnswer<Answer>,
): Promise<FastifyReply | void> => {
  await webhooks?.beforeResponse()
  const sendWebhooks = () => void webhooks?.afterResponse()
  const waitMs = fault?.kind === 'slow' ? fault.ms : delayMs
  if (waitMs > 0) {
    sendWebhooks()
    return (await waitUnlessClosed(reply, waitMs, fault?.released)) ? send(answer) : cutConnection(reply)
  }
  reply.raw.once('close', sendWebhooks)
  switch (fault?.kind) {
    case 'drop':
      return cutConnection(reply)
    case 'garbage':
      return sendGarbage(reply)
    case 'error':
      return fail()
    default:
      return send(fault === undefined ? answer : tamper(answer, fault))
  }
}
