import { DOMParser } from '@xmldom/xmldom'

/** The elements of a request in their order; an undefined one is left out. */
export interface XmlFields {
  readonly [name: string]: string | XmlBlock | undefined
}

/** An element with attributes and elements in it. */
export interface XmlBlock {
  readonly attributes: Readonly<Record<string, string>>
  readonly fields: XmlFields
}

/** The elements of an answer or of a report's row; what is empty there is absent here. */
export type Reply = Readonly<Record<string, string | undefined>>

/** Writes elements, their texts escaped to plain ASCII, whatever the encoding that the other side expects. */
export const toXml = (fields: XmlFields): string =>
  Object.entries(fields)
    .map(([name, value]) => {
      if (value === undefined) return ''
      if (typeof value === 'string') return `<${name}>${escapeText(value)}</${name}>`
      const attributes = Object.entries(value.attributes).map(([attribute, text]) => ` ${attribute}="${escapeText(text)}"`)
      return `<${name}${attributes.join('')}>${toXml(value.fields)}</${name}>`
    })
    .join('')

/** A text for XML in plain ASCII; control characters become blanks. */
const escapeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ').replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`)

const ANSWER_ROOT = 'ippayresponse'

/** Parses the answer of the gateway. Total: undefined for everything that is not one well-formed answer. */
export const parseReply = (text: string): Reply | undefined => {
  const root = parseDocument(text)
  return root?.nodeName.toLowerCase() === ANSWER_ROOT ? toReply(root) : undefined
}

const REPORT_ROOTS: ReadonlySet<string> = new Set(['ippayreport', ANSWER_ROOT])
const NO_ROWS = 'No Results'

/** Parses the rows of a report, none where it says so. Total: undefined for everything else. */
export const parseReport = (text: string): Reply[] | undefined => {
  const root = parseDocument(text)
  if (root === undefined || !REPORT_ROOTS.has(root.nodeName.toLowerCase())) return undefined
  const [list, another] = childElements(root)
  if (list?.nodeName !== 'Transactions' || another !== undefined) return undefined
  const elements = childElements(list)
  if (elements.length === 0) return (list.textContent ?? '').trim() === NO_ROWS ? [] : undefined
  const rows = elements.map((element) => (element.nodeName === 'Transaction' ? toReply(element) : undefined))
  return rows.every((row) => row !== undefined) ? rows : undefined
}

/** The root element of an XML text; undefined for one that is not well-formed or has a DOCTYPE. */
const parseDocument = (text: string): Element | undefined => {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return undefined
  try {
    return new DOMParser({ errorHandler: throwNotWellFormed }).parseFromString(text.trim(), 'text/xml').documentElement ?? undefined
  } catch {
    return undefined
  }
}

/** Makes the XML parser fail on an answer that is not well-formed, which it would repair else. @throws SyntaxError always */
const throwNotWellFormed = (): never => {
  throw new SyntaxError('the answer is not well-formed XML')
}

const ELEMENT_NODE = 1

const childElements = (parent: Element): Element[] =>
  Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === ELEMENT_NODE)

/** The elements of an element by name; undefined where one is there twice, which could mean two things. */
const toReply = (parent: Element): Reply | undefined => {
  const elements = childElements(parent)
  const names = new Set(elements.map(({ nodeName }) => nodeName))
  if (names.size !== elements.length) return undefined
  return Object.fromEntries(elements.map((element) => [element.nodeName, textOf(element)]))
}

/** The text of an element without blanks around it; undefined where it is empty. */
const textOf = (element: Element): string | undefined => {
  const text = (element.textContent ?? '').trim()
  return text === '' ? undefined : text
}
