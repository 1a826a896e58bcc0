import { PROBLEM_MEDIA_TYPE } from '@counterfoil/contract/kit/http/error-codes'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Store, urgentWork } from '../../db/database.ts'
import { ApiError } from '../../kit/api-error.ts'
import { toOAuthError, toProblem } from '../error-handler.ts'
import { nonDocumentHeaders } from '../security-headers.ts'
import type { LoadClass, LoadClassOf } from './load-class.ts'
import { Permit } from './permit.ts'

/** With more requests in hand each of them takes longer, and none more is answered. Urgent ones wait for a payment company. */
const MAX_IN_HAND: Readonly<Record<LoadClass, number>> = { normal: 64, usage: 64, urgent: 256, session: 64, hashing: 64, sso: 32 }
/** While more come than can be answered: refusals take time from those in hand, of whom fewer are then as quick as without them. */
const MAX_READS_IN_HAND_WHEN_CROWDED = 32
/** Jobs and imports use the database too. */
const MAX_WAITING_FOR_DATABASE = 128
/**
 * How many refusals are sent in a turn of the event loop. The rest waits for the next one: a flood of refusals would make turns so long
 * that those in hand, who need several, got no further. Who sends nothing before its answer is there is held up so as well.
 */
const MAX_REFUSALS_PER_TURN = 96
const SECOND_MS = 1_000
const MAX_RETRY_AFTER_S = 30
const BUSY_TEXT = 'We are very busy just now. Please try again in a moment.'

/** What the server has in hand, whoever sends it: what comes beyond what it can do in time is refused at once. */
export interface ServerLoad {
  /**
   * Takes a request in hand before anything else looks at it, or answers it 503: here that costs a fraction of what Fastify's hooks do for
   * any request. One with a body is looked at, and taken in hand once its body is there: who sends slowly takes no place.
   * @returns whether to work on it
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Takes a request in hand whose body has come, or that has waited for its turn. @throws ApiError 503 when there is no place for it */
  enter(request: FastifyRequest): void
  /** The class of a request that has a route. */
  classOf(request: FastifyRequest): LoadClass
  readonly inHand: Readonly<Record<LoadClass, number>>
  /** How many requests were refused since the start. */
  readonly refused: Readonly<Record<LoadClass, number>>
  stop(): void
}

/**
 * Makes the count of requests in hand, in this process; a timer for the rates of refusals runs until `stop`.
 * @param pools whose waiting list says how busy the database is
 */
export const serverLoad = ({ pools }: Pick<Store, 'pools'>, isHttps: boolean, loadClassOf: LoadClassOf): ServerLoad => {
  const inHand = { normal: 0, usage: 0, urgent: 0, session: 0, hashing: 0, sso: 0 }
  const refused = { ...inHand }
  const sendBusy = sendInTurns(busyAnswer(isHttps))
  let thisSecond = { entered: 0, refused: 0 }
  let lastSecond = thisSecond
  const counting = setInterval(() => {
    lastSecond = thisSecond
    thisSecond = { entered: 0, refused: 0 }
  }, SECOND_MS).unref()

  /** Not at the first refusal: who keeps a server at its full load would be refused for ever after one crowd. */
  const isCrowded = (): boolean => lastSecond.refused > lastSecond.entered / 2

  const maxInHand = (loadClass: LoadClass): number =>
    isRead(loadClass) && isCrowded() ? MAX_READS_IN_HAND_WHEN_CROWDED : MAX_IN_HAND[loadClass]

  const isFull = (loadClass: LoadClass): boolean =>
    inHand[loadClass] >= maxInHand(loadClass) || (isRead(loadClass) && pools.interactive.waitingCount >= MAX_WAITING_FOR_DATABASE)

  const takePlace = (permit: Permit, loadClass: LoadClass): void => {
    thisSecond.entered += 1
    inHand[loadClass] += 1
    permit.add(() => void (inHand[loadClass] -= 1))
  }

  /** Counts a refused request. @returns after how many seconds to come again: the more are refused, the more seconds they spread over */
  const countRefused = (loadClass: LoadClass): number => {
    refused[loadClass] += 1
    thisSecond.refused += 1
    const secondsOfWork = lastSecond.refused / Math.max(1, lastSecond.entered)
    return 1 + Math.floor(Math.random() * Math.min(MAX_RETRY_AFTER_S, 1 + secondsOfWork))
  }

  const classOf: ServerLoad['classOf'] = ({ routeOptions, url, body }) => loadClassOf(routeOptions.url ?? url, body) ?? 'normal' // the route's path, because a URL has many spellings

  return {
    inHand,
    classOf,
    refused,
    admit: (request, response) => {
      const loadClass = loadClassOf(request.url ?? '')
      if (loadClass !== null && isFull(loadClass)) {
        sendBusy(response, loadClass, countRefused(loadClass))
        return false
      }
      const permit = permitOf(request, response)
      if (loadClass !== null && !hasBody(request)) takePlace(permit, loadClass)
      return true
    },
    enter: (request) => {
      const loadClass = classOf(request)
      if (isFull(loadClass)) throw new ApiError('busy', BUSY_TEXT, { retryAfter: countRefused(loadClass) })
      takePlace(request.permit, loadClass)
    },
    stop: () => clearInterval(counting),
  }
}

const isRead = (loadClass: LoadClass): boolean => loadClass === 'normal' || loadClass === 'usage'

/** Whether a request's headers announce a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

type SendBusy = (response: ServerResponse, loadClass: LoadClass, retryAfterS: number) => void

/**
 * Sends 503 answers of at most `MAX_REFUSALS_PER_TURN` requests in a turn of the event loop, in their order; the rest wait for the next
 * turn.
 */
const sendInTurns = (send: SendBusy): SendBusy => {
  const waiting: Parameters<SendBusy>[] = []
  const sendSome = (): void => {
    for (const busy of waiting.splice(0, MAX_REFUSALS_PER_TURN)) send(...busy)
    if (waiting.length > 0) setImmediate(sendSome)
  }
  return (...busy) => {
    waiting.push(busy)
    if (waiting.length === 1) setImmediate(sendSome)
  }
}

/**
 * Writes the 503 to a raw response, without Fastify and without a line in the log. Its body is made once; at /token and /revoke it has
 * OAuth's form.
 */
const busyAnswer = (isHttps: boolean): SendBusy => {
  const error = new ApiError('busy', BUSY_TEXT)
  const problem = JSON.stringify(toProblem(error))
  const oauthError = JSON.stringify(toOAuthError(error))
  const headers = Object.entries({ ...nonDocumentHeaders(isHttps), 'cache-control': 'no-store' }).flat()
  return (response, loadClass, retryAfterS) => {
    const [type, body] = loadClass === 'session' ? ['application/json; charset=utf-8', oauthError] : [PROBLEM_MEDIA_TYPE, problem]
    const own = ['content-type', type, 'content-length', String(body.length), 'retry-after', String(retryAfterS)]
    response.writeHead(error.status, [...headers, ...own]).end(body)
  }
}

const permits = new WeakMap<IncomingMessage, Permit>()

/** The permit of a request: that made for it before, else a new one, which the end of its connection or answer closes. */
const permitOf = (request: IncomingMessage, response: ServerResponse): Permit => {
  const known = permits.get(request)
  if (known !== undefined) return known
  const permit = new Permit()
  response.once('close', () => permit.close())
  permits.set(request, permit)
  return permit
}

/**
 * Sets `request.permit` and ends the permit when the answer has been made. A request whose client has left reaches no handler, and an
 * urgent one (it moves money) goes before the others in the database.
 */
export const registerLoad = (app: FastifyInstance, loadClassOf: LoadClassOf): void => {
  app.addHook('onRequest', (request, reply, done) => {
    request.permit = permitOf(request.raw, reply.raw)
    done()
  })
  app.addHook('preValidation', ({ routeOptions }, _reply, done) => {
    // Once the body is there: what its parser calls knows nothing of the request.
    if (loadClassOf(routeOptions.url ?? '') === 'urgent') urgentWork.run(true, done)
    else done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.permit.end()
    done(null, payload)
  })
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function handleWanted(request, reply) {
      request.permit.assertWanted()
      const result: unknown = handler.call(this, request, reply)
      if (result instanceof Promise) request.permit.keepDuring(result)
      return result
    }
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    permit: Permit
  }
}
