import type { Store } from '../../db/database.ts'
import { ROLES } from '../../db/roles.ts'
import { transactWithin } from '../../db/server/transact-within.ts'
import { listShutOut, type NodeFacts, readFacts, readFreeBytes } from './node-facts.queries.ts'
import { listNodes, type Node } from '../nodes.queries.ts'

/** How long a node may take for what it is asked. */
const NODE_LIMIT_MS = 10_000

/** What was learnt of a node. */
export interface NodeReport {
  readonly node: Node
  /** What it says of itself; a text that says why it does not answer. */
  readonly facts: NodeFacts | string
  readonly freeBytes: number | null
  /** The roles that it does not let in from the coordinator. Workers alone are asked: nobody signs in to the coordinator as one. */
  readonly shutOut: readonly { readonly role: string; readonly reason: string }[]
}

/**
 * Asks every node, each with a limit of its own: one that hangs takes its own answer only.
 * @param oldTransactionMs since when a prepared transaction is an old one
 */
export const reportNodes = async (store: Store, oldTransactionMs: number): Promise<NodeReport[]> => {
  const nodes = await store.transact({ role: 'owner' }, listNodes)
  const reports: NodeReport[] = []
  for (const node of nodes)
    reports.push(
      await reportNode(store, node, oldTransactionMs).catch((error: Error) => ({
        node,
        facts: error.message,
        freeBytes: null,
        shutOut: [],
      })),
    )
  return reports
}

const reportNode = (store: Store, node: Node, oldTransactionMs: number): Promise<NodeReport> =>
  transactWithin(store, { role: 'owner' }, NODE_LIMIT_MS, async (db) => {
    const facts = await readFacts(db, node, oldTransactionMs)
    if (typeof facts === 'string') return { node, facts, freeBytes: null, shutOut: [] }
    const freeBytes = facts.citus === null ? null : await readFreeBytes(db, node)
    return { node, facts, freeBytes, shutOut: node.isCoordinator ? [] : await listShutOut(db, node, ROLES) }
  })
