import type { FastifyInstance } from 'fastify'
import { ApiError } from '../kit/api-error.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Notes every route that is registered from now on.
 * @returns a function to call once all routes are there: it registers, for every address without a wildcard, a 405 that names the methods
 * it takes
 */
export const answerOtherMethods = (app: FastifyInstance): (() => void) => {
  const addresses = new Map<string, { readonly url: string; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const shape = url.replaceAll(/:[^/]+/g, ':') // the router tells addresses apart by their shape, whatever their parameters are called
    const address = addresses.get(shape) ?? { url, methods: new Set() }
    for (const one of [method].flat()) address.methods.add(one)
    addresses.set(shape, address)
  })
  return () => {
    for (const { url, methods } of [...addresses.values()].filter((address) => !address.url.includes('*'))) {
      const allow = [...methods].join(', ')
      const others = METHODS.filter((method) => !methods.has(method))
      const handler = async (): Promise<never> => {
        throw new ApiError('method_not_allowed', `This address takes ${allow} only.`, { headers: { allow } })
      }
      if (others.length > 0) app.route({ url, method: [...others], config: { isOtherMethod: true }, handler })
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It only says which methods the address takes. */
    isOtherMethod?: boolean
  }
}
