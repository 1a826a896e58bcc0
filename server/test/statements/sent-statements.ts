import { loadModule } from 'libpg-query'
import pg from 'pg'
import { faultsOf, RULES } from './statement-rules.ts'

/** A connection as pg speaks through it; its types do not have it. */
interface Wire {
  startup(config: { readonly application_name?: string }): void
  query(text: string): void
  parse(message: { readonly name?: string; readonly text: string }, more?: unknown): void
  bind(message: { readonly statement?: string; readonly values?: readonly unknown[] }, more?: unknown): void
}

/** What is known of a connection: its name, the role of its transaction, and the statements that it has prepared, by their names. */
interface Session {
  connection: string
  role: string
  readonly prepared: Map<string, string>
}

/** The schema's owner runs migrations, and what tests prepare. Its statements are not looked at. */
const OWNER = 'owner'
const sessions = new WeakMap<object, Session>()
const seen = new Set<string>()
let faults: string[] = []
let isListening = true
let isCitus = false
let isUsageApart = true

/** The faults that were found since the last call, each with its statement. */
export const takeFaults = (): readonly string[] => {
  const found = faults
  faults = []
  return found
}

/** Whether statements are sent as to a distributed database from now on, and looked at as such. */
export const setDistributed = (value: boolean): void => {
  isCitus = value
}

/** Whether the stores of the tests give usage connections of its own, from now on. */
export const setUsageApart = (value: boolean): void => {
  isUsageApart = value
}

/** Whether statements are looked at from now on. */
export const setListening = (value: boolean): void => {
  isListening = value
}

const sessionOf = (wire: object): Session => {
  const session = sessions.get(wire) ?? { connection: '', role: OWNER, prepared: new Map() }
  sessions.set(wire, session)
  return session
}

/** Notes what is wrong with a statement that this process has not sent under this role, over such a connection, before. */
const examine = (text: string, { role, connection }: Session): void => {
  const key = `${isCitus} ${connection} ${role} ${text}`
  if (!isListening || role === OWNER || seen.has(key)) return
  seen.add(key)
  try {
    for (const { rule, tables } of faultsOf({ text, role, connection: isUsageApart ? connection : '' }, isCitus))
      faults.push(`${rule} ${tables.join(' ')}: ${RULES[rule]}\n${text}`)
  } catch (error) {
    faults.push(`the parser refuses it: ${String(error)}\n${text}`)
  }
}

/** The role that a text takes for the rest of its transaction; null where it takes none. */
const takenRole = (text: string): string | null => {
  const [, role] = /set local role =? ?'?(\w+)/i.exec(text) ?? []
  if (role !== undefined) return role === 'none' ? OWNER : role
  return /^\s*(?:begin|commit|rollback(?! to)|reset role)\b/i.test(text) ? OWNER : null
}

/** Looks at everything that goes through a connection. */
const listen = (wire: Wire): void => {
  const { startup, query, parse, bind } = wire
  wire.startup = function rememberName(this: Wire, config) {
    sessionOf(this).connection = config.application_name ?? ''
    return Reflect.apply(startup, this, [config])
  }
  wire.query = function examineQuery(this: Wire, text) {
    const session = sessionOf(this)
    session.role = takenRole(text) ?? session.role
    examine(text, session)
    return Reflect.apply(query, this, [text])
  }
  wire.parse = function rememberText(this: Wire, message, more) {
    sessionOf(this).prepared.set(message.name ?? '', message.text)
    return Reflect.apply(parse, this, [message, more])
  }
  wire.bind = function examineBound(this: Wire, message, more) {
    const session = sessionOf(this)
    const text = session.prepared.get(message.statement ?? '') ?? ''
    if (text.startsWith("select set_config('role'") && !isCitus) session.role = String(message.values?.[0])
    else {
      session.role = takenRole(text) ?? session.role
      examine(text, session)
    }
    return Reflect.apply(bind, this, [message, more])
  }
}

await loadModule()
listen((pg as unknown as { Connection: { prototype: Wire } }).Connection.prototype)
