import type { ImportKind } from './kind.rules.ts'
import { BILLING_KINDS } from './billing-kinds.data.ts'
import { TENANT_KINDS } from './tenant-kinds.data.ts'

/** Every kind of record, in an order in which they can be imported one after another. */
export const IMPORT_KINDS: readonly ImportKind[] = [...TENANT_KINDS, ...BILLING_KINDS]
