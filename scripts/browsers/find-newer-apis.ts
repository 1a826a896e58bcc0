import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import { newerApis, newerMembers } from './newer-apis.ts'

const WINDOW = new Set(['window', 'globalThis', 'self'])
const APIS = newerApis()
const GLOBALS = new Set(APIS.flatMap(({ owner, name }) => (owner === undefined ? [name] : [])))
const STATICS = new Set(APIS.flatMap(({ owner, name }) => (owner === undefined ? [] : [`${owner}.${name}`])))
const MEMBERS = newerMembers()

/** A regular expression with flags or groups that some browser of the floor does not read. */
const isNewerPattern = ({ pattern, flags }: { readonly pattern: string; readonly flags: string }): boolean =>
  flags.includes('v') || /\(\?[ims]*-?[ims]+:/.test(pattern)

/**
 * The names of what some browser of the floor lacks, as a program uses it: `AbortSignal.any`, `new Temporal`, `.isSubsetOf()`.
 * A call that asks first (`navigator.x?.()`) is none.
 * @param fileName tells JavaScript from TypeScript
 */
export const findNewerApis = (fileName: string, code: string): string[] => {
  const found = new Set<string>()
  const walker = new Visitor({
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && GLOBALS.has(callee.name)) found.add(callee.name)
    },
    MemberExpression: (member) => {
      const path = pathOf(member)
      if (path === undefined) return
      const [first = '', second = ''] = path.split('.')
      if (STATICS.has(path)) found.add(path)
      if (WINDOW.has(first) && GLOBALS.has(second)) found.add(second)
    },
    CallExpression: ({ callee, optional }) => {
      if (optional) return
      if (callee.type === 'Identifier' && GLOBALS.has(callee.name)) found.add(callee.name)
      const name = callee.type === 'MemberExpression' && !callee.optional ? nameOf(callee) : undefined
      if (name !== undefined && MEMBERS.has(name)) found.add(`.${name}()`)
    },
    Literal: (literal) => {
      if ('regex' in literal && isNewerPattern(literal.regex)) found.add(`/${literal.regex.pattern}/${literal.regex.flags}`)
    },
  })
  walker.visit(parseSync(fileName, code).program)
  return [...found].toSorted()
}

const nameOf = ({ property, computed }: ESTree.MemberExpression): string | undefined =>
  !computed && property.type === 'Identifier' ? property.name : undefined

/** `Intl.DateTimeFormat` of such an expression; undefined for one that does not begin with a name. */
const pathOf = (expression: ESTree.MemberExpression): string | undefined => {
  const { object } = expression
  const name = nameOf(expression)
  const owner = object.type === 'Identifier' ? object.name : object.type === 'MemberExpression' ? pathOf(object) : undefined
  return owner === undefined || name === undefined ? undefined : `${owner}.${name}`
}
