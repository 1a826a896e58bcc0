import type { StatementFault } from './statement-rules.ts'

/** What a fault is known by: its rule, and the tables that it is about. The tables of one load have a number of their own. */
export const faultKey = ({ rule, tables }: StatementFault): string => `${rule} ${tables.join(' ').replaceAll(/load_[0-9a-f]{32}/g, 'load')}`

/** The faults that the program still has. A statement that is not listed here fails the test that sends it. */
export const KNOWN_FAULTS: ReadonlySet<string> = new Set([])
