import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const AREA = /\/contract\/src\/areas\/[\w/-]+\.ts$/
const KIT = /\/contract\/src\/kit\/[\w/-]+\.ts$/
const SCHEMA_LIBRARY = /\/node_modules\/typebox\//
const SCHEMA = /(?<![\w.])(?=Type\.\w+\()/g

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const containsSchema = (value: unknown): boolean => isObject(value) && ('~kind' in value || Object.values(value).some(containsSchema))

const isEndpoint = (value: unknown): value is Fields => isObject(value) && 'method' in value && 'path' in value && 'access' in value

const isEndpointGroup = (value: unknown): value is Fields =>
  isObject(value) && Object.values(value).length > 0 && Object.values(value).every(isEndpoint)

/** What is left of an endpoint's response: the media type of a file, null for an empty response, `{}` for JSON. */
const responseKind = (response: unknown): unknown => (response === null || (isObject(response) && 'file' in response) ? response : {})

const toLightEndpoint = ({ method, path, access, form, response }: Fields): Fields => ({
  method,
  path,
  access,
  form,
  response: responseKind(response),
})

const toLightGroup = (group: Fields): Fields =>
  Object.fromEntries(Object.entries(group).map(([name, endpoint]) => [name, isEndpoint(endpoint) ? toLightEndpoint(endpoint) : endpoint]))

const toExportLine = (file: string, name: string, value: unknown): string => {
  if (isEndpointGroup(value)) return `export const ${name} = ${JSON.stringify(toLightGroup(value))}\n`
  if (containsSchema(value)) return ''
  if (typeof value === 'function')
    throw new Error(`${file} exports the function ${name}: functions that the browser may run live in contract/src/kit`)
  return `export const ${name} = ${JSON.stringify(value)}\n`
}

const buildBrowserModule = async (file: string, version: string): Promise<string> => {
  const area: Fields = await import(pathToFileURL(file).href + version)
  return Object.entries(area)
    .map(([name, value]) => toExportLine(file, name, value))
    .join('')
}

/** Node never reloads a module of the same URL, so the development server adds the file's change time to it. */
const versionQueryOf = async (file: string): Promise<string> => `?${(await stat(file)).mtimeMs}`

/**
 * Keeps schemas out of the browser: the portal needs only the paths and the types of the contract.
 *
 * An area of the contract becomes a module of its endpoints (`method, path, access, form, response`) and plain constants;
 * schemas in the contract's kit are marked as free of side effects, so that the build drops unused ones.
 * The build fails when it still contains anything of the schema library.
 */
export const contractEndpoints = (): Plugin => {
  let isWatching = false
  return {
    name: 'counterfoil:contract-calls',
    enforce: 'pre',
    configResolved: ({ command }) => {
      isWatching = command === 'serve'
    },
    load: {
      filter: { id: AREA },
      handler: async (file) => buildBrowserModule(file, isWatching ? await versionQueryOf(file) : ''),
    },
    transform: {
      filter: { id: [KIT, SCHEMA_LIBRARY] },
      handler: (code, file) =>
        KIT.test(file) ? { code: code.replace(SCHEMA, '/* @__PURE__ */ '), map: null } : { code, map: null, moduleSideEffects: false },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const schemas = Object.entries(chunk.modules).filter(([id, { renderedLength }]) => SCHEMA_LIBRARY.test(id) && renderedLength > 0)
        if (schemas.length > 0) this.error(`${chunk.fileName} ships schemas to the browser: ${schemas.map(([id]) => id).join(', ')}`)
      }
    },
  }
}
