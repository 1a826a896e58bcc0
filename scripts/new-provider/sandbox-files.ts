import { capitalize, type NewProvider } from './words.ts'

const stores = (name: string): string => `import type { Faults } from '../faults/faults.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Settlements } from '../ledger/settlements.ts'

interface ${capitalize(name)}Options {
  readonly dir: string
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
  /** The current time in milliseconds. */
  readonly clock: () => number
}

/** The sandbox's ${capitalize(name)}: its stored objects. */
export class ${capitalize(name)} {
  readonly ledger: Ledger
  readonly faults: Faults

  constructor({ ledger, faults, settlements }: ${capitalize(name)}Options) {
    this.ledger = ledger
    this.faults = faults
    settlements.register('${name}', async () => undefined)
  }

  /** Removes all payments; customers and their methods stay. */
  reset(): void {
    // Nothing is stored yet.
  }
}
`

const routes = (name: string): string => `import type { FastifyPluginAsync } from 'fastify'
import type { ${capitalize(name)} } from './${name}.ts'

/** Registers everything under \`/${name}\`: the provider's own paths, in its own words. */
export const ${name}Routes: FastifyPluginAsync<{ ${name}: ${capitalize(name)} }> = async (app, { ${name} }) => {
  app.all('/*', async (_request, reply) => {
    reply.code(501)
    return { message: 'This stand-in has no paths yet.', entries: ${name}.ledger.list().length }
  })
}
`

/** The provider's stand-in in the sandbox, by path. It answers 501 until its paths are written. */
export const sandboxFiles = ({ name }: NewProvider): Record<string, string> => ({
  [`sandbox/src/${name}/${name}.ts`]: stores(name),
  [`sandbox/src/${name}/${name}.routes.ts`]: routes(name),
})
