import { DOMParser } from '@xmldom/xmldom'

/** An element with its text, its attributes and the elements in it. */
export interface XmlElement {
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
}

const ELEMENT_NODE = 1

/** The root element of a document; undefined when the text is not well-formed or has a DTD. */
export const parseXml = (text: string): XmlElement | undefined => {
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

/** An element of the XML parser with its trimmed text, attributes and children. */
const toElement = (element: Element): XmlElement => ({
  name: element.nodeName,
  text: (element.textContent ?? '').trim(),
  attributes: Object.fromEntries(Array.from(element.attributes).map(({ name, value }) => [name, value])),
  children: Array.from(element.childNodes)
    .filter((node) => node.nodeType === ELEMENT_NODE)
    .map((node) => toElement(node as Element)),
})

/** The first child element of that name. */
export const childOf = (element: XmlElement, name: string): XmlElement | undefined => element.children.find((child) => child.name === name)

/** The text of the child of that name; empty without one. */
export const textIn = (element: XmlElement, name: string): string => childOf(element, name)?.text ?? ''

/** The elements of an answer in their order; an absent one is undefined. */
export type AnswerFields = Readonly<Record<string, string | undefined>>

/** The XML of elements with escaped texts; undefined ones are left out. */
export const toElements = (fields: AnswerFields): string =>
  Object.entries(fields)
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${escapeText(value)}</${name}>`))
    .join('')

const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '')

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
