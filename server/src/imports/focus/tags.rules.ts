import { BadRow, quoteValue } from '../bad-row.ts'

/**
 * The cost centre of a row: the value of the first tag whose key ends with "cost centre" in either spelling
 * ("CostCenter", "cost-centre", "user:CostCenter"). Null when there is none.
 * @throws BadRow when the tags are not a JSON object
 */
export const costCentreOf = (tags: string | null): string | null => {
  if (tags === null) return null
  for (const [key, value] of Object.entries(tagObject(tags))) {
    if (!/cost(centre|center)$/.test(key.toLowerCase().replaceAll(/[^a-z]/g, ''))) continue
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

const tagObject = (tags: string): object => {
  let parsed: unknown
  try {
    parsed = JSON.parse(tags)
  } catch {
    throw new BadRow(`Tags: ${quoteValue(tags)} is not JSON`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new BadRow(`Tags: ${quoteValue(tags)} is not a JSON object`)
  return parsed
}
