import { DOMParser } from '@xmldom/xmldom'

/** The elements of a request in their order; an undefined one is left out. */
export interface XmlFields {
  readonly [name: string]: string | XmlFields | undefined
}

/** A receipt's fields; what is absent there (`null` or empty) is absent here. Those of `ResolveData` are named `ResolveData.…`. */
export type Receipt = Readonly<Record<string, string | undefined>>

/**
 * The fields as XML elements in plain ASCII, the one encoding on which Moneris' documents and library agree. In texts, other characters and
 * those of XML's own syntax become numeric references, and control characters blanks.
 */
export const toXml = (fields: XmlFields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => {
      if (value === undefined) return []
      return [`<${name}>${typeof value === 'string' ? escapeText(value) : toXml(value)}</${name}>`]
    })
    .join('')

/** A text for XML in plain ASCII; control characters become blanks. */
const escapeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ').replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`)

/** Parses an answer. Total: undefined for everything that is not one well-formed receipt. */
export const parseReceipt = (text: string): Receipt | undefined => {
  const response = parseDocument(text)
  if (response?.nodeName !== 'response') return undefined
  const [receipt, another] = childElements(response)
  if (receipt?.nodeName !== 'receipt' || another !== undefined) return undefined
  return toReceipt(childElements(receipt))
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

/** The fields of a receipt by name; undefined where one is there twice, which could mean two things. */
const toReceipt = (elements: readonly Element[]): Receipt | undefined => {
  const entries = elements.flatMap((element) =>
    element.nodeName === 'ResolveData'
      ? childElements(element).map((child) => [`ResolveData.${child.nodeName}`, textOf(child)] as const)
      : [[element.nodeName, textOf(element)] as const],
  )
  return new Set(entries.map(([name]) => name)).size === entries.length ? Object.fromEntries(entries) : undefined
}

/** The text of an element without blanks around it; undefined where it is empty or `null`. */
const textOf = (element: Element): string | undefined => {
  const text = (element.textContent ?? '').trim()
  return text === '' || text === 'null' ? undefined : text
}
