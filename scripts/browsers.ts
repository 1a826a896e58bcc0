/**
 * `npm run browsers`: fails on what a browser of the floor (portal/browser-floor.ts) does not have: in the sources that run in it, and in
 * what is built of them and of their libraries (docs/decisions/0130).
 */
import { globSync, readFileSync } from 'node:fs'
import { findNewerApis } from './browsers/find-newer-apis.ts'
import { findNewerSelectors } from './browsers/find-newer-selectors.ts'
import { buildPortal } from './portal-build.ts'

/** What may be found, and why it does no harm. */
const HARMLESS: Readonly<Record<string, string>> = {
  '.createWritable()': 'only after `showSaveFilePicker?.()` has given a file',
  showSaveFilePicker: 'asked for before it is called',
  '.checkVisibility()': 'React Aria asks for it before it is called',
  '.getTextInfo()': 'React Aria asks for it before it is called',
  '.startViewTransition()': 'React catches its absence, and the portal uses no view transitions',
  '.skipTransition()': 'after `.startViewTransition()` only',
  '.build()': 'a method of TanStack Query',
  '.destroy()': 'a method of TanStack Query and of the elements of a payment provider',
  '.fetch()': 'a method of TanStack Query',
  '.isActive()': 'a method of TanStack Query',
  '.number()': 'a method of React Aria',
  '.createContext()': 'a function of React',
  '.use()': 'a function of React',
  ':has': 'Firefox before 121 leaves out colours and spaces; what is chosen and what is shown do not hang on it',
  '::selection': 'the browser has colours of its own',
}

await buildPortal()
const files = globSync(['portal/src/**/*.{ts,tsx}', 'contract/src/**/*.ts', 'portal/dist/assets/*.{js,css}'])
const problems = files
  .filter((file) => !/\.test\.tsx?$|\/test-[a-z-]+\.ts$/.test(file))
  .flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const found = file.endsWith('.css') ? findNewerSelectors(code) : findNewerApis(file, code)
    return found.filter((name) => !(name in HARMLESS)).map((name) => `${file}: ${name}`)
  })
if (problems.length > 0) {
  console.error(`browsers: newer than the oldest browsers (portal/browser-floor.ts)\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
console.log(`browsers: ${files.length} files, nothing that the oldest browsers lack`)
