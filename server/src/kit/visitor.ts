import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from './serve.ts'

/** The visitor behind a request. Cookies are HttpOnly and SameSite=Strict unless told otherwise; over https and on localhost they carry the __Host- prefix. */
export const visitorOf = (request: FastifyRequest, reply: FastifyReply, secure: boolean): Visitor => {
  const fullName = (name: string): string => (secure ? `__Host-${name}` : name)
  return {
    address: request.ip,
    host: hostName(request.headers.host),
    cookie: (name) => cookieOf(request.headers.cookie, fullName(name)),
    setCookie: (name, value, maxAgeSeconds, sameSite = 'Strict') => {
      const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}${secure ? '; Secure' : ''}`
      void reply.header('set-cookie', `${fullName(name)}=${value}; ${attributes}`)
    },
  }
}

/** A Host header's name: lower case, without the port. */
const hostName = (header: string | undefined): string => (header ?? '').toLowerCase().replace(/:\d*$/, '')

const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
