import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { maxFinding, type Finding } from '../harness/findings.ts'

const DIST = fileURLToPath(new URL('../../../portal/dist', import.meta.url))
const KIB = 1_024

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** Measures the JavaScript that a page loads before it works: its entry and all static imports, compressed with gzip -9. */
export const measureBundle = (): Finding[] => {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  return entries.flatMap((entry) => {
    const chunks = withStaticImports(manifest, [entry])
    // A payment link's page holds a form more than the sign-in page does.
    const limit = entry.startsWith('login') ? 80 : 90
    if (!entry.startsWith('index')) return [maxFinding(`JavaScript of ${entry}`, sizeOf(manifest, chunks) / KIB, limit, 'KiB gzip')]
    const routes = Object.keys(manifest).filter((key) => SCREEN.test(key))
    const findingOf = (...keys: readonly string[]): Finding =>
      maxFinding(
        `JavaScript of ${keys.join(' and ')}, with all it needs`,
        sizeOf(manifest, withStaticImports(manifest, [entry, ...keys])) / KIB,
        200,
        'KiB gzip',
      )
    // A customer's screen of payment methods also loads the forms of one provider.
    const forms = Object.keys(manifest).filter((key) => PROVIDER_FORMS.test(key))
    return [...routes.map((route) => findingOf(route)), ...forms.map((form) => findingOf(METHODS_PAGE, form))]
  })
}

const SCREEN = /^src\/areas\/[a-z-]+\/[a-z-]+-page\.tsx$/
const METHODS_PAGE = 'src/areas/payment-methods/payment-methods-page.tsx'
const PROVIDER_FORMS = /^src\/payments\/providers\/[a-z]+\/method-lists\.tsx?$/

const withStaticImports = (manifest: Record<string, Chunk>, keys: readonly string[], seen = new Set<string>()): Set<string> => {
  for (const key of keys) {
    if (seen.has(key)) continue
    seen.add(key)
    withStaticImports(manifest, manifest[key]?.imports ?? [], seen)
  }
  return seen
}

const sizeOf = (manifest: Record<string, Chunk>, keys: ReadonlySet<string>): number =>
  [...keys]
    .map((key) => manifest[key]?.file ?? '')
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length, 0)
