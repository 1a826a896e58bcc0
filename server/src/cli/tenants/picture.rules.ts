import { isUtf8 } from 'node:buffer'
import { OperatorError } from '../../kit/api-error.ts'

/** Matches the check constraint of the database. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_END = Buffer.from('IEND')

/**
 * The MIME type of a picture, detected from its bytes.
 * @throws OperatorError for anything but a complete PNG, JPEG or WebP, or an SVG without active content
 */
export const pictureType = (name: string, bytes: Buffer): string => {
  if (bytes.length === 0) throw new OperatorError(`${name} is empty.`)
  if (bytes.length > MAX_PICTURE_BYTES) throw new OperatorError(`${name} is larger than 2 MiB; make it smaller.`)
  if (bytes.subarray(0, 8).equals(PNG)) return assertComplete(name, 'image/png', bytes.subarray(-32).includes(PNG_END) && hasSize(bytes))
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff)
    return assertComplete(name, 'image/jpeg', bytes.subarray(-64).includes(Buffer.from([0xff, 0xd9])))
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return assertComplete(name, 'image/webp', bytes.readUInt32LE(4) + 8 <= bytes.length + 1)
  if (isUtf8(bytes) && isSvg(bytes.toString('utf8'))) return assertHarmlessSvg(name, bytes.toString('utf8'))
  throw new OperatorError(`${name} is no picture that browsers show everywhere: give a PNG, JPEG, WebP or SVG.`)
}

/** Returns the type. @throws OperatorError when the picture is not complete */
const assertComplete = (name: string, type: string, isComplete: boolean): string => {
  if (!isComplete) throw new OperatorError(`${name} begins as a picture and is cut or damaged.`)
  return type
}

/** Whether a PNG's header gives a width and a height above 0. */
const hasSize = (png: Buffer): boolean => png.length > 24 && png.readUInt32BE(16) > 0 && png.readUInt32BE(20) > 0

/** Whether a text begins as an SVG, possibly after an XML declaration, comments or a document type. */
const isSvg = (text: string): boolean =>
  /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?((<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(\[[\s\S]*?\])?\s*>)\s*)*<(\w+:)?svg[\s>/]/i.test(text)

const FORBIDDEN_SVG: readonly (readonly [RegExp, string])[] = [
  [/<!(DOCTYPE|ENTITY)[^>]*(\[|ENTITY|SYSTEM)/i, 'a document type that names other things'],
  [
    /<(?:[\w.-]+:)?(script|foreignObject|iframe|object|embed|audio|video|canvas|handler|listener|set|animate\w*|a|link|meta|base)[\s>/]/i,
    'the element',
  ],
  [/[\s"'/]on[a-z]+\s*=/i, 'an event handler'],
  [/(javascript|vbscript)\s*:/i, 'a script address'],
  [/@import|expression\s*\(|-moz-binding/i, 'a style that brings in others'],
  [/<\?(?!xml[\s?])/i, 'a processing instruction'],
]
const REFERENCE = /(?:[\w-]+:)?(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi
const STYLE_ADDRESS = /url\s*\(\s*["']?\s*([^)]*)/gi

/**
 * The MIME type of an SVG. @throws OperatorError for active content, links to other files, or a missing end
 * Browsers execute SVG files; silently cleaning one could change the picture.
 */
const assertHarmlessSvg = (name: string, svg: string): string => {
  const withoutComments = svg.replaceAll(/<!--[\s\S]*?-->/g, '')
  const forbidden = FORBIDDEN_SVG.map(([pattern, what]) => [pattern.exec(withoutComments), what] as const).find(([match]) => match !== null)
  if (forbidden !== undefined) {
    const what = forbidden[1] === 'the element' ? `the element ${forbidden[0]?.[1]}` : forbidden[1]
    throw new OperatorError(`${name} does more than draw: it has ${what}. Save it as a plain SVG, or as PNG.`)
  }
  const external = [...linkedAddresses(withoutComments)].find((address) => !isInside(address))
  if (external !== undefined)
    throw new OperatorError(`${name} brings in another file. Save it as a plain SVG with everything in it, or as PNG.`)
  if (!/<\/(\w+:)?svg\s*>\s*$|<(\w+:)?svg[^>]*\/>\s*$/i.test(withoutComments))
    throw new OperatorError(`${name} begins as an SVG and is cut or damaged.`)
  return 'image/svg+xml'
}

/** The addresses in `href`, `src` and `url(…)` of an SVG, without their quotes. */
function* linkedAddresses(svg: string): Generator<string> {
  for (const [, quoted = ''] of svg.matchAll(REFERENCE)) yield quoted.replaceAll(/^["']|["']$/g, '')
  for (const [, address = ''] of svg.matchAll(STYLE_ADDRESS)) yield address
}

/** Whether an address leads to no other file: empty, a fragment, or an embedded image. */
const isInside = (address: string): boolean =>
  /^(#|&quot;#|&#39;#|data:image\/(png|jpeg|webp|gif);base64,)/i.test(address.trim()) || address.trim() === ''
