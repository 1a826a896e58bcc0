import { AuthorizeError } from './authorize-error.ts'

/** A value without parts. */
interface TextShape {
  readonly kind: 'text'
  readonly datatype: 'String' | 'Decimal' | 'Boolean' | 'Integer' | 'DateTime'
  readonly min: number
  readonly max: number
  readonly pattern?: RegExp | undefined
  readonly values?: readonly string[] | undefined
}

/** Parts that must come in this order. */
interface SequenceShape {
  readonly kind: 'sequence'
  readonly elements: readonly Element[]
}

/** Exactly one of several parts. */
interface ChoiceShape {
  readonly kind: 'choice'
  readonly elements: readonly Element[]
}

export type Shape = TextShape | SequenceShape | ChoiceShape

interface ElementShape {
  readonly shape: Shape
  readonly isRequired: boolean
  readonly repeats: boolean
}

interface Element extends ElementShape {
  readonly name: string
}

type Parts = Readonly<Record<string, Shape | ElementShape>>

/** The shape of a text of at most `max` and at least `min` characters. */
export const text = (max: number, min = 0): TextShape => ({ kind: 'text', datatype: 'String', min, max })

/** The shape of a text that follows a pattern; `datatype` is the name in the error's sentence. */
const scalar = (datatype: TextShape['datatype'], pattern: RegExp): TextShape => ({ kind: 'text', datatype, min: 0, max: Infinity, pattern })

/** A string of digits. */
export const DIGITS = scalar('String', /^\d+$/)
export const INTEGER = scalar('Integer', /^\d+$/)
export const BOOLEAN = scalar('Boolean', /^(true|false|1|0)$/)
export const AMOUNT = scalar('Decimal', /^\d+(\.\d{1,4})?$/)
export const DATE_TIME = scalar('DateTime', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/)

/** The shape of a text that is one of these words. */
export const oneOf = (...values: readonly string[]): TextShape => ({ kind: 'text', datatype: 'String', min: 0, max: Infinity, values })

/** The shape of an object whose keys come in this order. A part is optional unless `mandatory` says otherwise. */
export const sequence = (parts: Parts): SequenceShape => ({ kind: 'sequence', elements: elementsOf(parts) })

/** The shape of an object with exactly one of these keys. */
export const choice = (parts: Parts): ChoiceShape => ({ kind: 'choice', elements: elementsOf(parts) })

/** An element that is required and occurs once. */
export const mandatory = (shape: Shape): ElementShape => ({ shape, isRequired: true, repeats: false })

/** An element that may occur several times: an object, or a list of them. */
export const many = (shape: Shape): ElementShape => ({ shape, isRequired: false, repeats: true })

/** The parts as a list of elements; a bare shape is optional and occurs once. */
const elementsOf = (parts: Parts): Element[] =>
  Object.entries(parts).map(([name, part]) => ({ name, ...('shape' in part ? part : { shape: part, isRequired: false, repeats: false }) }))

const SCHEMA = 'AnetApi/xml/v1/schema/AnetApiSchema.xsd'

/**
 * Checks a value as the schema does after the JSON was turned into XML: names, their order, lengths and types.
 * @throws AuthorizeError with E00003 and the validator's sentence
 */
export const checkShape = (name: string, shape: Shape, value: unknown): void => {
  if (shape.kind === 'text') checkText(name, shape, value)
  else if (shape.kind === 'choice') checkChoice(name, shape, value)
  else checkSequence(name, shape, value)
}

/** The error E00003 with the validator's sentence; a value, not thrown here. */
const schemaError = (sentence: string): AuthorizeError => new AuthorizeError('E00003', sentence)

/**
 * Checks a text's words, length and pattern; null and undefined count as empty.
 * @throws AuthorizeError when the text breaks one of them, or the value is an object
 */
const checkText = (name: string, shape: TextShape, value: unknown): void => {
  const fail = (reason: string): never => {
    throw schemaError(
      `The '${SCHEMA}:${name}' element is invalid - The value '${shownValue(name, value)}' is invalid according to its datatype '${shape.datatype}' - ${reason}`,
    )
  }
  if (typeof value === 'object' && value !== null)
    throw schemaError(
      `The element '${name}' in namespace '${SCHEMA}' cannot contain child element '${Object.keys(value)[0] ?? ''}' in namespace '${SCHEMA}' because the parent element's content model is text only.`,
    )
  const written = value === null || value === undefined ? '' : String(value)
  if (shape.values !== undefined && !shape.values.includes(written)) fail('The Enumeration constraint failed.')
  if (written.length > shape.max) fail('The actual length is greater than the MaxLength value.')
  if (written.length < shape.min) fail('The actual length is less than the MinLength value.')
  if (shape.pattern !== undefined && !shape.pattern.test(written))
    fail(shape.datatype === 'String' ? 'The Pattern constraint failed.' : `The string '${written}' is not a valid ${shape.datatype} value.`)
}

const SECRET_NAMES = new Set(['cardNumber', 'cardCode', 'accountNumber', 'transactionKey'])

/** The value as an error quotes it; empty for a card number, card code, account number or transaction key. */
const shownValue = (name: string, value: unknown): string => (SECRET_NAMES.has(name) ? '' : String(value))

/** @throws AuthorizeError unless the value has exactly one key, of the elements, whose value follows its shape */
const checkChoice = (name: string, { elements }: ChoiceShape, value: unknown): void => {
  const [first, ...others] = entriesOf(name, value)
  if (first === undefined) throw incompleteError(name, elements)
  const element = elements.find((one) => one.name === first[0])
  if (element === undefined) throw invalidChildError(name, first[0], elements)
  if (others[0] !== undefined) throw invalidChildError(name, others[0][0], [])
  checkShape(element.name, element.shape, first[1])
}

/** @throws AuthorizeError when a key is unknown, misplaced or missing, or its value does not follow its shape */
const checkSequence = (name: string, { elements }: SequenceShape, value: unknown): void => {
  let position = 0
  for (const [key, inner] of entriesOf(name, value)) {
    const found = elements.findIndex((element, index) => index >= position && element.name === key)
    const element = elements[found]
    if (element === undefined || elements.slice(position, found).some(({ isRequired }) => isRequired))
      throw invalidChildError(name, key, possibleElements(elements, position))
    checkShape(key, element.shape, inner)
    position = element.repeats ? found : found + 1
  }
  const remaining = elements.slice(position)
  if (remaining.some(({ isRequired }) => isRequired)) throw incompleteError(name, possibleElements(elements, position))
}

/**
 * The keys and values in their order; a list becomes one entry for each item. An empty value has none.
 * @throws AuthorizeError when the value is a text or a list
 */
const entriesOf = (name: string, value: unknown): (readonly [string, unknown])[] => {
  if (value === null || value === undefined || value === '') return []
  if (typeof value !== 'object' || Array.isArray(value))
    throw schemaError(
      `The element '${name}' in namespace '${SCHEMA}' cannot contain text. List of possible elements expected: '' in namespace '${SCHEMA}'.`,
    )
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    Array.isArray(inner) ? inner.map((item: unknown) => [key, item] as const) : [[key, inner] as const],
  )
}

/** The elements that may stand at a position: the optional elements from there, and the next required element. */
const possibleElements = (elements: readonly Element[], position: number): readonly Element[] => {
  const next = elements.findIndex(({ isRequired }, index) => index >= position && isRequired)
  return elements.slice(position, next === -1 ? elements.length : next + 1)
}

/** The end of an error's sentence, which lists the elements that were expected; empty without any. */
const expectedList = (elements: readonly Element[]): string =>
  elements.length === 0
    ? ''
    : ` List of possible elements expected: '${elements.map(({ name }) => name).join(', ')}' in namespace '${SCHEMA}'.`

/** The error of an element that may not stand in this place; `expected` are those that may. */
const invalidChildError = (name: string, child: string, expected: readonly Element[]): AuthorizeError =>
  schemaError(
    `The element '${name}' in namespace '${SCHEMA}' has invalid child element '${child}' in namespace '${SCHEMA}'.${expectedList(expected)}`,
  )

/** The error of an object that ends before a required element; `expected` are those that may follow. */
const incompleteError = (name: string, expected: readonly Element[]): AuthorizeError =>
  schemaError(`The element '${name}' in namespace '${SCHEMA}' has incomplete content.${expectedList(expected)}`)
