import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { replaceMarkedPart } from './marked-part.ts'

const CALLERS: Readonly<Record<Endpoint['access'], string>> = {
  public: 'anyone',
  user: 'a signed-in user',
  customer: 'a user acting for a customer',
}

const rowOf = (area: string, { method, path, access, sections }: Endpoint): string => {
  const open = sections?.map((section) => `\`${section}\``).join(' or ') ?? 'always'
  return `| \`${method} ${path}\` | ${CALLERS[access]} | ${open} | \`${area}\` |`
}

/** Every endpoint of the contract as a Markdown table: who may call it, when it is open, and its area. */
export const endpointTable = (): string => {
  const areas = Object.entries<Readonly<Record<string, Endpoint>>>(ENDPOINTS)
  const rows = areas.flatMap(([area, endpoints]) => Object.values(endpoints).map((endpoint) => rowOf(area, endpoint)))
  return ['| Endpoint | Who may call it | Open while the brand shows | Area |', '|---|---|---|---|', ...rows].join('\n')
}

/** The architecture document with today's endpoints. @throws Error when it lacks the marks */
export const withEndpoints = (document: string): string => replaceMarkedPart(document, 'endpoints', endpointTable())
