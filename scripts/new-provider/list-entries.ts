import { capitalize } from './words.ts'

type Edit = readonly [path: string, before: string, after: string]

const edits = (name: string, type: number): readonly Edit[] => {
  const Name = capitalize(name)
  const panel = [
    `  ${name}: {`,
    `    loadMethodLists: () => import('./${name}/method-lists.ts'),`,
    `    loadSavedMethods: () => import('./${name}/saved-methods.ts'),`,
    '  },',
  ].join('\n')
  const stripeImport = "import { stripe } from './stripe/stripe.ts'\n"
  const sandboxImport = "import { Stripe } from './stripe/stripe.ts'\n"
  const routesImport = "import { stripeRoutes } from './stripe/stripe.routes.ts'\n"
  const routes = "  app.register(stripeRoutes, { prefix: '/stripe', stripe: stores.providers.stripe })\n"
  const stand = '  stripe: new Stripe({ ...deps, defaultWebhook: stripeWebhook }),\n'
  return [
    ['server/src/payments/providers/registry.ts', stripeImport, `import { ${name} } from './${name}/${name}.ts'\n${stripeImport}`],
    ['server/src/payments/providers/registry.ts', `  ${name}: notBuilt,`, `  ${name},`],
    ['portal/src/payments/providers/registry.ts', `  ${name}: notBuilt,`, panel],
    ['sandbox/src/providers.ts', sandboxImport, `import { ${Name} } from './${name}/${name}.ts'\n${sandboxImport}`],
    ['sandbox/src/providers.ts', '  readonly stripe: Stripe\n', `  readonly stripe: Stripe\n  readonly ${name}: ${Name}\n`],
    ['sandbox/src/providers.ts', stand, `${stand}  ${name}: new ${Name}(deps),\n`],
    ['sandbox/src/app.ts', routesImport, `import { ${name}Routes } from './${name}/${name}.routes.ts'\n${routesImport}`],
    ['sandbox/src/app.ts', routes, `${routes}  app.register(${name}Routes, { prefix: '/${name}', ${name}: stores.providers.${name} })\n`],
    [
      'docs/providers.md',
      `| ${type} | ${name} | not built |`,
      `| ${type} | [${name}](../server/src/payments/providers/${name}/README.md) | in work |`,
    ],
  ]
}

/**
 * The lists that name every provider, with this one added.
 * @param provider with `hasStandIn`, its stand-in is in the lists of the sandbox already
 * @param read reads a file of the project
 * @returns the new texts by path
 * @throws Error when a list does not have the expected lines
 */
export const listChanges = (
  { name, type, hasStandIn }: { name: string; type: number; hasStandIn: boolean },
  read: (path: string) => string,
): Record<string, string> => {
  const changed: Record<string, string> = {}
  for (const [path, before, after] of edits(name, type)) {
    if (hasStandIn && path.startsWith('sandbox/')) continue
    const text = changed[path] ?? read(path)
    if (!text.includes(before)) throw new Error(`${path} does not have the line "${before.trim()}"`)
    changed[path] = text.replace(before, () => after)
  }
  return changed
}
