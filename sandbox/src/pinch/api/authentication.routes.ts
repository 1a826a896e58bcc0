import type { FastifyInstance } from 'fastify'
import { cutConnection, sendGarbage } from '../../kit/fault-responses.ts'
import type { Pinch } from '../pinch.ts'
import { TOKEN_TTL_S } from './access-tokens.ts'

/** The operation that `POST /faults` knows the token server by. */
const OPERATION = 'token'

/**
 * Registers the token server, which Pinch has on a host of its own. Every application id with a secret key is an account and gets a bearer
 * token.
 */
export const authenticationRoutes = (app: FastifyInstance, pinch: Pinch): void => {
  app.post('/connect/token', async (request, reply) => {
    const fault = pinch.faults.take('pinch', OPERATION)
    if (fault?.kind === 'refuse' || fault?.kind === 'drop') return cutConnection(reply)
    if (fault?.kind === 'garbage') return sendGarbage(reply)
    if (fault?.kind === 'error') return reply.code(500).send()
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const account = accountOf(request.headers.authorization)
    if (form.get('grant_type') !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' })
    if (form.get('scope') !== 'api1') return reply.code(400).send({ error: 'invalid_scope' })
    if (account === undefined || fault?.kind === 'decline') return reply.code(400).send({ error: 'invalid_client' })
    return { access_token: pinch.accessTokens.create(account), expires_in: TOKEN_TTL_S, token_type: 'Bearer' }
  })
}

/** The account of a Basic authorization header; undefined without one, or when the secret key contains `invalid`. */
const accountOf = (authorization: string | undefined): string | undefined => {
  const [scheme = '', encoded = ''] = (authorization ?? '').split(' ')
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const end = credentials.indexOf(':')
  const [account, secret] = [credentials.slice(0, Math.max(end, 0)), credentials.slice(end + 1)]
  return scheme.toLowerCase() !== 'basic' || account === '' || secret === '' || secret.includes('invalid') ? undefined : account
}
