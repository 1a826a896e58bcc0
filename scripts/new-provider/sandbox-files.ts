import { capitalize, type NewProvider } from './provider-names.ts'

const stores = (name: string): string => `import { Provider, type ProviderDeps } from '../kit/provider.ts'
import { Session } from '../kit/session.ts'

/** The sandbox's ${capitalize(name)}. */
export class ${capitalize(name)} extends Provider<Session> {
  constructor(deps: ProviderDeps) {
    super(deps, { name: '${name}', keptKinds: [] })
  }

  openSession(account: string): Session {
    return new Session(this.stores, account)
  }
}
`

const routes = (name: string): string => `import type { FastifyPluginAsync } from 'fastify'
import type { ${capitalize(name)} } from './${name}.ts'

/** Registers everything under \`/${name}\`: the provider's own paths, in its own words. */
export const ${name}Routes: FastifyPluginAsync<{ ${name}: ${capitalize(name)} }> = async (app, { ${name} }) => {
  app.all('/*', async (_request, reply) => {
    reply.code(501)
    return { message: 'This stand-in has no paths yet.', now: ${name}.now() }
  })
}
`

/** The provider's stand-in in the sandbox, by path. It answers 501 until its paths are written. */
export const sandboxFiles = ({ name }: NewProvider): Record<string, string> => ({
  [`sandbox/src/${name}/${name}.ts`]: stores(name),
  [`sandbox/src/${name}/${name}.routes.ts`]: routes(name),
})
