import { DOMParser } from '@xmldom/xmldom'

/** An element with its text, and the elements in it. */
export interface XmlElement {
  readonly name: string
  readonly text: string
  readonly children: readonly XmlElement[]
}

const ELEMENT_NODE = 1

/** The parser lets an unescaped ampersand pass. */
const UNESCAPED_AMPERSAND = /&(?!(#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/i

/** The root element of a document; undefined when the text is not well-formed, has an unescaped ampersand or a DTD. */
export const parseXml = (text: string): XmlElement | undefined => {
  if (UNESCAPED_AMPERSAND.test(text)) return undefined
  try {
    const document = new DOMParser({ errorHandler: throwSyntaxError }).parseFromString(text.trim(), 'text/xml')
    if (document.doctype !== null && document.doctype !== undefined) return undefined
    return document.documentElement === null ? undefined : toElement(document.documentElement)
  } catch {
    return undefined
  }
}

/** The XML parser's error handler. @throws SyntaxError with the parser's message */
const throwSyntaxError = (_level: string, message: unknown): never => {
  throw new SyntaxError(String(message))
}

/** An element of the XML parser with its text and children. */
const toElement = (element: Element): XmlElement => ({
  name: element.nodeName,
  text: element.textContent ?? '',
  children: Array.from(element.childNodes)
    .filter((node) => node.nodeType === ELEMENT_NODE)
    .map((node) => toElement(node as Element)),
})

/** A value of a receipt: null becomes the literal text `null`, a list becomes an element for each entry. */
type ReceiptValue = string | null | ReceiptFields | readonly ReceiptFields[]

/** The fields of a receipt in their order. */
export interface ReceiptFields {
  readonly [name: string]: ReceiptValue
}

/** The XML of a response with this receipt. */
export const toResponseXml = (receipt: ReceiptFields): string =>
  `<?xml version="1.0"?><response><receipt>${toElements(receipt)}</receipt></response>`

/** The XML of the fields with escaped texts; null becomes the text `null`, a list an element for each entry. */
const toElements = (fields: ReceiptFields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one: ReceiptValue) => `<${name}>${toText(one)}</${name}>`))
    .join('')

/** The XML of a value: an escaped text, the text `null`, or elements. */
const toText = (value: ReceiptValue): string => {
  if (value === null) return 'null'
  if (typeof value === 'string') return value.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '')
  return toElements(value as ReceiptFields)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
