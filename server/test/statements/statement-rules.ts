import { parseSync } from 'libpg-query'
import { DISTRIBUTED_TABLES, DISTRIBUTED_VIEWS } from '../../src/usage-store/distributed-tables.data.ts'
import { child, children, nodesOf, textOf, type Tree } from './statement-tree.ts'

/** A statement as a connection sends it. */
export interface SentStatement {
  readonly text: string
  /** The role that its transaction has taken. */
  readonly role: string
  /** The name of its connection, as PostgreSQL lists it. */
  readonly connection?: string
}

/** What a statement does that a distributed database refuses, or answers wrongly. */
export interface StatementFault {
  readonly rule: keyof typeof RULES
  /** The tables that it is about, in order. */
  readonly tables: readonly string[]
}

/** What no statement may do, by the letters of the faults. */
export const RULES = {
  a: 'one FROM has a distributed and a local table',
  b: 'a customer’s request reads a distributed table without customer_id = $n',
  c: 'an insert … select into a distributed table has no on conflict',
  d: 'a CTE writes to a distributed table',
  e: 'role or tenant are set by set_config, which the other machines do not hear',
  f: 'one message has more than one set local, each of which sends the whole message to the other machines',
  g: 'usage is asked for over the connections that everything else needs (the option `usage` of transact)',
} as const

const DISTRIBUTED: ReadonlySet<string> = new Set([...DISTRIBUTED_TABLES, ...DISTRIBUTED_VIEWS])
const MENTION = new RegExp(`\\b(?:${[...DISTRIBUTED].join('|')})(?:_\\d{4}_\\d{2})?\\b`)
/** A month of a partitioned table is as distributed as the table. */
const isDistributed = (table: string): boolean => DISTRIBUTED.has(table.replace(/_\d{4}_\d{2}$/, ''))

/**
 * The faults of a statement. @param isCitus whether it was sent as on a distributed database, for which rules e and f are
 * @throws where PostgreSQL's parser does not take it
 */
export const faultsOf = ({ text, role, connection }: SentStatement, isCitus = false): StatementFault[] => [
  ...(isCitus ? settingFaults(text) : []),
  ...(isNeededByOthers(connection, role) && MENTION.test(text) ? [{ rule: 'g', tables: [] } as const] : []),
  ...(MENTION.test(text) ? nodesOf('stmt', wrap(text)).flatMap((stmt) => statementFaults(stmt, role)) : []),
]

/** Whether a customer's request goes over the connections of sign-in, invoices and payments. */
const isNeededByOthers = (connection: string | undefined, role: string): boolean =>
  connection === 'counterfoil interactive' && role === 'counterfoil_app'

/** The parser's tree. The statements stand under `stmt`. */
const wrap = (text: string): Tree => parseSync(text) as unknown as Tree

/** Rules e and f. */
const settingFaults = (text: string): StatementFault[] => [
  ...(/set_config\('(?:role|app\.(?:customer|reseller)_id)'/.test(text) ? [{ rule: 'e', tables: [] } as const] : []),
  ...([...text.matchAll(/\bset local\b/gi)].length > 1 ? [{ rule: 'f', tables: [] } as const] : []),
]

/** Rules a to d. */
const statementFaults = (stmt: Tree, role: string): StatementFault[] => {
  const ctes = new Map(nodesOf('CommonTableExpr', stmt).map((cte) => [textOf(cte, 'ctename'), cte]))
  const levels = levelsOf(stmt)
  return [
    ...levels.flatMap((level) => mixedFault(level, ctes)),
    ...(role === 'counterfoil_app' ? levels.flatMap((level) => unboundFaults(level, ctes)) : []),
    ...nodesOf('InsertStmt', stmt).flatMap(conflictFault),
    ...[...ctes.values()].flatMap(writingFault),
  ]
}

/** One SELECT, UPDATE or DELETE: what it reads together, and under which conditions. */
interface Level {
  readonly sources: readonly Tree[]
  readonly conditions: readonly Tree[]
}

const levelsOf = (stmt: Tree): Level[] => [
  ...nodesOf('SelectStmt', stmt)
    .flatMap(selectsOf)
    .map((select) => levelOf(children(select, 'fromClause'), select)),
  ...nodesOf('UpdateStmt', stmt).map((update) => levelOf([...targetOf(update), ...children(update, 'fromClause')], update)),
  ...nodesOf('DeleteStmt', stmt).map((remove) => levelOf([...targetOf(remove), ...children(remove, 'usingClause')], remove)),
]

/** A SELECT, or those on both sides of a UNION, which the tree has without their kind. */
const selectsOf = (select: Tree): Tree[] => {
  const sides = [child(select, 'larg'), child(select, 'rarg')].filter((side) => side !== undefined)
  return sides.length === 0 ? [select] : sides.flatMap(selectsOf)
}

/** The table that a statement changes, as a FROM has it. */
const targetOf = (statement: Tree): Tree[] => {
  const relation = child(statement, 'relation')
  return relation === undefined ? [] : [{ RangeVar: relation }]
}

const levelOf = (from: readonly Tree[], statement: Tree): Level => {
  const where = child(statement, 'whereClause')
  const joined = from.flatMap(joinConditions)
  return { sources: from.flatMap(joinedSources), conditions: [...(where === undefined ? [] : [where]), ...joined].flatMap(conjuncts) }
}

/** The sources of a FROM entry, with those of its joins. */
const joinedSources = (entry: Tree): Tree[] => {
  const join = child(entry, 'JoinExpr')
  return join === undefined ? [entry] : [child(join, 'larg'), child(join, 'rarg')].flatMap((side) => (side ? joinedSources(side) : []))
}

/** The conditions of the inner joins of a FROM entry: that of an outer one leaves rows of one side in. */
const joinConditions = (entry: Tree): Tree[] => {
  const join = child(entry, 'JoinExpr')
  if (join === undefined) return []
  const own = textOf(join, 'jointype') === 'JOIN_INNER' ? child(join, 'quals') : undefined
  return [...(own ? [own] : []), ...[child(join, 'larg'), child(join, 'rarg')].flatMap((side) => (side ? joinConditions(side) : []))]
}

/** The parts of a condition that all must hold. */
const conjuncts = (condition: Tree): Tree[] => {
  const all = child(condition, 'BoolExpr')
  return all !== undefined && textOf(all, 'boolop') === 'AND_EXPR' ? children(all, 'args').flatMap(conjuncts) : [condition]
}

/** The tables of a FROM: itself, and what a CTE has that is not materialized, because it is read as if it stood there. */
const tablesOf = (source: Tree, ctes: ReadonlyMap<string, Tree>): string[] => {
  const name = textOf(child(source, 'RangeVar'), 'relname')
  if (name === '') return []
  const cte = ctes.get(name)
  if (cte === undefined) return [name]
  if (textOf(cte, 'ctematerialized') === 'CTEMaterializeAlways') return []
  const select = child(cte, 'ctequery', 'SelectStmt')
  return (select === undefined ? [] : selectsOf(select))
    .flatMap((one) => children(one, 'fromClause'))
    .flatMap(joinedSources)
    .flatMap((inner) => (textOf(child(inner, 'RangeVar'), 'relname') === name ? [] : tablesOf(inner, ctes)))
}

/** Rule a. */
const mixedFault = ({ sources }: Level, ctes: ReadonlyMap<string, Tree>): StatementFault[] => {
  const tables = [...new Set(sources.flatMap((source) => tablesOf(source, ctes)))].toSorted()
  return tables.some(isDistributed) && !tables.every(isDistributed) ? [{ rule: 'a', tables }] : []
}

/** Rule b. */
const unboundFaults = ({ sources, conditions }: Level, ctes: ReadonlyMap<string, Tree>): StatementFault[] => {
  const bound = new Set(conditions.flatMap(boundSource))
  return sources.flatMap((source): StatementFault[] => {
    const range = child(source, 'RangeVar')
    const table = textOf(range, 'relname')
    if (ctes.has(table) || !isDistributed(table)) return []
    const alias = textOf(child(range, 'alias'), 'aliasname') || table
    const isBound = bound.has(alias) || (sources.length === 1 && bound.has(''))
    return isBound ? [] : [{ rule: 'b', tables: [table] }]
  })
}

/** The source whose `customer_id` a condition compares with a value, empty where it does not say which; none for another condition. */
const boundSource = (condition: Tree): string[] => {
  const comparison = child(condition, 'A_Expr')
  if (comparison === undefined || textOf(comparison, 'kind') !== 'AEXPR_OP' || JSON.stringify(comparison['name']).includes('"="') === false)
    return []
  const sides = [child(comparison, 'lexpr'), child(comparison, 'rexpr')]
  const column = sides.find((side) => child(side, 'ColumnRef') !== undefined)
  const value = sides.find((side) => side !== column)
  const names = children(child(column, 'ColumnRef'), 'fields').map((field) => textOf(child(field, 'String'), 'sval'))
  return names.at(-1) === 'customer_id' && isValue(value) ? [names.length > 1 ? (names.at(-2) ?? '') : ''] : []
}

/** Whether an expression is a parameter or a literal, also cast to another type. */
const isValue = (tree: Tree | undefined): boolean => {
  const cast = child(tree, 'TypeCast', 'arg')
  return cast === undefined ? child(tree, 'ParamRef') !== undefined || child(tree, 'A_Const') !== undefined : isValue(cast)
}

/** Rule c. Rows that the statement lists itself are no select. */
const conflictFault = (insert: Tree): StatementFault[] => {
  const table = textOf(child(insert, 'relation'), 'relname')
  const isSelect = children(child(insert, 'selectStmt', 'SelectStmt'), 'valuesLists').length === 0
  return isDistributed(table) && isSelect && child(insert, 'onConflictClause') === undefined ? [{ rule: 'c', tables: [table] }] : []
}

/** Rule d. */
const writingFault = (cte: Tree): StatementFault[] => {
  const query = child(cte, 'ctequery')
  return ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind): StatementFault[] => {
    const table = textOf(child(query, kind, 'relation'), 'relname')
    return isDistributed(table) ? [{ rule: 'd', tables: [table] }] : []
  })
}
