import { capitalize, type NewProvider } from './provider-names.ts'

/** A line of a list, before which or in place of which a new one stands. */
type Edit = readonly [path: string, before: string, after: string]

/** A new line before the one that ends a list. */
const insert = (path: string, line: string, text: string): Edit => [path, line, text + line]

const SANDBOX_STRIPE = '  stripe: new Stripe(deps, webhooks.stripe),\n'
const SANDBOX_ROUTES = "  app.register(stripeRoutes, { prefix: '/stripe', stripe: providers.stripe })\n"

const contractEdits = ({ name, type }: NewProvider): readonly Edit[] => [
  insert('contract/src/kit/payments/payment-type.ts', '} as const\n', `  ${name}: ${type},\n`),
  insert(
    'contract/src/areas/providers/provider-methods.ts',
    '\n/** The paths for stored methods',
    `import { ${name}Methods } from './${name}.ts'\n`,
  ),
  insert('contract/src/areas/providers/provider-methods.ts', ' }\n', `, ...${name}Methods`),
]

const serverEdits = ({ name }: NewProvider): readonly Edit[] => {
  const registry = 'server/src/payments/providers/registry.ts'
  const imports = `import { ${name} } from './${name}/${name}.ts'\nimport { ${name}Paths } from './${name}/${name}.paths.ts'\n`
  const drivers = 'server/test/payments/providers/provider-drivers.ts'
  const examples = [
    `  'GET /v1/ec/${name}/cards': () => ({ status: 404 }),`,
    `  'POST /v1/ec/${name}/cards': () => ({ body: { token: 'a token' }, status: 404 }),`,
    `  'DELETE /v1/ec/${name}/cards/{id}': ({ payment }) => ({ params: { id: payment.card }, status: 404 }),`,
    `  'PUT /v1/ec/${name}/customer-default-source': ({ payment }) => ({ body: { id: payment.card }, status: 404 }),`,
  ]
  return [
    insert(registry, "import { stripe } from './stripe/stripe.ts'\n", imports),
    insert(registry, '} as const satisfies', `  ${name},\n`),
    [registry, 'readonly MethodPaths[] = [', `readonly MethodPaths[] = [${name}Paths, `],
    insert(
      drivers,
      "import type { ProviderDriver } from './provider-driver.ts'\n",
      `import { ${name.toUpperCase()} } from './${name}.driver.ts'\n`,
    ),
    insert(drivers, ']\n\n/** @throws', `, ${name.toUpperCase()}`),
    insert('server/test/support/example-requests.ts', "  'PUT /v1/ec/allow-reseller-charge'", `${examples.join('\n')}\n`),
  ]
}

const portalEdits = ({ name }: NewProvider): readonly Edit[] => {
  const methods = [
    `  ${name}: {`,
    `    loadMethodLists: () => import('./${name}/method-lists.ts'),`,
    `    loadSavedMethods: () => import('./${name}/saved-methods.ts'),`,
    '  },\n',
  ]
  const folder = 'portal/src/payments/providers'
  return [
    insert(`${folder}/registry.ts`, '} as const satisfies', `  ${name}: {},\n`),
    insert(`${folder}/stored-methods-registry.ts`, '} as const satisfies', methods.join('\n')),
  ]
}

const sandboxEdits = ({ name }: NewProvider): readonly Edit[] => {
  const [Name, list] = [capitalize(name), 'sandbox/src/providers.ts']
  return [
    insert(list, "import { Stripe } from './stripe/stripe.ts'\n", `import { ${Name} } from './${name}/${name}.ts'\n`),
    insert('sandbox/src/provider-names.ts', '] as const\n', `, '${name}'`),
    insert(list, '  readonly stripe: Stripe\n', `  readonly ${name}: ${Name}\n`),
    insert(list, SANDBOX_STRIPE, `  ${name}: new ${Name}(deps),\n`),
    insert(
      list,
      "import { stripeRoutes } from './stripe/stripe.routes.ts'\n",
      `import { ${name}Routes } from './${name}/${name}.routes.ts'\n`,
    ),
    insert(list, SANDBOX_ROUTES, `  app.register(${name}Routes, { prefix: '/${name}', ${name}: providers.${name} })\n`),
  ]
}

const documentEdits = ({ name, type }: NewProvider): readonly Edit[] => [
  insert(
    'docs/providers.md',
    '\n## Adding a provider',
    `| ${type} | [${name}](../server/src/payments/providers/${name}/README.md), which moves no money yet |\n`,
  ),
  ['scripts/layout/check-providers.ts', '/stripe(?!d)|', `/stripe(?!d)|${name}|`],
  ['scripts/layout/check-providers.ts', '\\/(stripe|', `\\/(stripe|${name}|`],
]

/**
 * The lists that name every provider, with this one added.
 * @param read reads a file of the project
 * @returns the new texts by path
 * @throws Error when a list does not have the expected lines
 */
export const listChanges = (provider: NewProvider, read: (path: string) => string): Record<string, string> => {
  const changed: Record<string, string> = {}
  for (const edits of [contractEdits, serverEdits, portalEdits, sandboxEdits, documentEdits])
    for (const [path, before, after] of edits(provider)) {
      const text = changed[path] ?? read(path)
      if (!text.includes(before)) throw new Error(`${path} does not have the line "${before.trim()}"`)
      changed[path] = text.replace(before, () => after)
    }
  return changed
}
