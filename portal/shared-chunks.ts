import type { Rolldown } from 'vite'

type CodeSplittingGroup = Rolldown.CodeSplittingGroup

/** What a chunk is chosen with: the modules that a module imports. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const SOURCE_FOLDER = new URL('./src/', import.meta.url).pathname
const LIBRARY = /node_modules/
/** Not what few screens have, or a payment page has too: what takes payments, account numbers, addresses, dialogs, lists with a search. */
const SHARED_SOURCE =
  /[\\/](?:portal|contract)[\\/]src[\\/](?:api|format|kit[\\/](?!payments[\\/]printed)|shell|ui[\\/](?!overlay|chart|form[\\/](?:combo-box|countries|native-select)))/

/** What the dashboard shares with the lists: charts, and what pays or downloads an invoice. */
const TILES_SOURCE =
  /[\\/]portal[\\/]src[\\/](?:ui[\\/]chart|payments[\\/]invoices[\\/](?:invoice-|pay-invoices-))|[\\/]contract[\\/]src[\\/]areas[\\/]bulk-payment/

/** A chunk of what these entries import, directly or by others, without what is loaded on demand. */
const chunkOf = (name: string, entries: readonly string[], options: Omit<CodeSplittingGroup, 'name'>) => {
  let reached: ReadonlySet<string> | undefined
  return {
    ...options,
    debugName: name,
    name: (id: string, graph: ModuleGraph) => ((reached ??= importsOf(entries, graph)).has(id) ? name : null),
  }
}

/** What the sign-in page shares with others, and the page that pays does not need. */
const PUBLIC_SOURCE = /[\\/]portal[\\/]src[\\/](?:public[\\/](?!safe)|ui[\\/]form[\\/]password-)/

const importsOf = (entries: readonly string[], graph: ModuleGraph): ReadonlySet<string> => {
  const found = new Set<string>()
  const follow = (id: string): void => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported)) continue
      found.add(imported)
      follow(imported)
    }
  }
  for (const entry of entries) follow(`${SOURCE_FOLDER}${entry}`)
  return found
}

/**
 * Bundles what pages and screens share into a few files: libraries by who needs them, what the sign-in page, and the pages of links, share
 * with others, what the app adds, and what its screens share. Without it every small shared module is a file, and a screen loads dozens.
 */
export const sharedChunks = {
  groups: [
    chunkOf('library', ['login.tsx', 'public.tsx', 'pay.tsx'], {
      test: LIBRARY,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: 20_000,
      priority: 8,
    }),
    chunkOf('app-library', ['main.tsx'], { test: LIBRARY, priority: 7 }),
    chunkOf('base', ['login.tsx'], { test: (id) => !PUBLIC_SOURCE.test(id), minShareCount: 2, priority: 6 }),
    chunkOf('public-base', ['login.tsx'], { minShareCount: 2, priority: 5 }),
    chunkOf('pay-base', ['pay.tsx'], { minShareCount: 2, priority: 4 }),
    chunkOf('link-base', ['public.tsx'], { minShareCount: 2, priority: 3 }),
    chunkOf('app-base', ['main.tsx'], { priority: 2 }),
    { name: 'screens', test: SHARED_SOURCE, minShareCount: 2, priority: 1 },
    { name: 'tiles', test: TILES_SOURCE, minShareCount: 2, priority: 1 },
  ],
}
