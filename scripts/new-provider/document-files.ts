import { capitalize, type NewProvider } from './provider-names.ts'

const operating = (name: string, type: number): string => `# ${capitalize(name)}

Payment type ${type}. See also [Payments](../operating.md#payments) and the [provider's folder](../../server/src/payments/providers/${name}/README.md).

## At ${capitalize(name)}

What has to be switched on and noted there, step by step.

## Here

\`keys.json\`:

\`\`\`json
{ "secret": "…" }
\`\`\`

\`\`\`sh
npx counterfoil reseller payments set "Name" --type ${name} --address https://… \\
  --credentials keys.json --payments on --bulk on
npx counterfoil reseller payments test "Name"
\`\`\`

## Card numbers, and PCI DSS

Where a card is typed, and what that makes of the server.
`

/** The operator's page, by path. */
export const documentFiles = ({ name, type }: NewProvider): Record<string, string> => ({
  [`docs/operating/${name}.md`]: operating(name, type),
})
