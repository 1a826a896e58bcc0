import { BadRow } from '../bad-row.ts'
import { MAX_NAME_BYTES, parseText } from '../text.rules.ts'

/**
 * The cost centre of a row: the value of the first tag whose key ends with "cost centre" in either spelling
 * ("CostCenter", "cost-centre", "user:CostCenter"). Tags are a JSON object, one without its braces, or a list of keys and values.
 * @returns null when there is none; undefined when the tags cannot be read, which decide nothing else
 */
export const costCentreOf = (tags: string | null): string | null | undefined => {
  if (tags === null) return null
  const entries = tagEntries(parseJson(tags) ?? parseJson(`{${tags}}`))
  if (entries === undefined) return undefined
  for (const [key, value] of entries) {
    if (!/cost(centre|center)$/.test(key.toLowerCase().replaceAll(/[^a-z]/g, ''))) continue
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return readableText(text)
  }
  return null
}

/** The text of a tag; undefined when it holds what the database cannot store or is too long. */
const readableText = (text: string): string | null | undefined => {
  try {
    return parseText('Tags', text, MAX_NAME_BYTES)
  } catch (error) {
    if (error instanceof BadRow) return undefined
    throw error
  }
}

/**
 * The keys and values of parsed tags; undefined when they are neither an object nor a list of objects. An object of a list has `key` and
 * `value`, under these names in any case, or is tags itself.
 */
const tagEntries = (tags: unknown): (readonly [string, unknown])[] | undefined => {
  if (!Array.isArray(tags)) return typeof tags === 'object' && tags !== null ? Object.entries(tags) : undefined
  const entries: (readonly [string, unknown])[] = []
  for (const tag of tags as unknown[]) {
    if (typeof tag !== 'object' || tag === null || Array.isArray(tag)) return undefined
    const fields = new Map(Object.entries(tag).map(([name, value]) => [name.toLowerCase(), value as unknown]))
    const key = fields.get('key') ?? fields.get('name')
    if (typeof key === 'string' && fields.has('value')) entries.push([key, fields.get('value')])
    else entries.push(...Object.entries(tag))
  }
  return entries
}

/** The value of a JSON text; undefined when the text is no JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
