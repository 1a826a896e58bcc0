import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const AREA = /\/contract\/src\/areas\/[\w-]+\.ts$/
const KIT = /\/contract\/src\/kit\/[\w/-]+\.ts$/
const SCHEMA_LIBRARY = /\/node_modules\/typebox\//
const SCHEMA = /(?<== )(?=Type\.\w+\()/g

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const holdsSchema = (value: unknown): boolean => isObject(value) && ('~kind' in value || Object.values(value).some(holdsSchema))

const isCall = (value: unknown): value is Fields => isObject(value) && 'method' in value && 'path' in value && 'access' in value

const isGroupOfCalls = (value: unknown): value is Fields =>
  isObject(value) && Object.values(value).length > 0 && Object.values(value).every(isCall)

/** What a call keeps of its response: the media type of a file, null for an empty answer, a bare schema for JSON. */
const responseKind = (response: unknown): unknown => (response === null || (isObject(response) && 'file' in response) ? response : {})

const lightCall = ({ method, path, access, form, response }: Fields): Fields => ({
  method,
  path,
  access,
  form,
  response: responseKind(response),
})

const lightGroup = (group: Fields): Fields =>
  Object.fromEntries(Object.entries(group).map(([name, call]) => [name, isCall(call) ? lightCall(call) : call]))

const exportLine = (file: string, name: string, value: unknown): string => {
  if (isGroupOfCalls(value)) return `export const ${name} = ${JSON.stringify(lightGroup(value))}\n`
  if (holdsSchema(value)) return ''
  if (typeof value === 'function')
    throw new Error(`${file} exports the function ${name}: functions that the browser may run live in contract/src/kit`)
  return `export const ${name} = ${JSON.stringify(value)}\n`
}

const browserModule = async (file: string, version: string): Promise<string> => {
  const area: Fields = await import(pathToFileURL(file).href + version)
  return Object.entries(area)
    .map(([name, value]) => exportLine(file, name, value))
    .join('')
}

/** Node keeps a module under its address for ever: a server that sees the file change asks for it by a new one. */
const versionOf = async (file: string): Promise<string> => `?${(await stat(file)).mtimeMs}`

/**
 * Keeps schemas out of the browser (design: the contract is data, and the portal needs only addresses and types of it).
 *
 * An area of the contract becomes a module of its calls (`method, path, access, form, response`) and plain constants;
 * in the contract's kit, schemas are marked as free of effects, so that unused ones fall out of the build.
 * The build fails when anything of the schema library is left in it.
 */
export const contractCalls = (): Plugin => {
  let watches = false
  return {
    name: 'counterfoil:contract-calls',
    enforce: 'pre',
    configResolved: ({ command }) => {
      watches = command === 'serve'
    },
    load: {
      filter: { id: AREA },
      handler: async (file) => browserModule(file, watches ? await versionOf(file) : ''),
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
