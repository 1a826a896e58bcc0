/**
 * `npm run test:browsers`: the whole product, fifteen steps, in Firefox and in WebKit, where Debian's packages of them are installed. What is
 * tried, and what is not, stands in docs/decisions/0130.
 */
import { startProduct } from '../e2e/src/support/product.ts'
import { browserPage } from '../e2e/src/other-browsers/browser-page.ts'
import { STEPS } from '../e2e/src/other-browsers/smoke-steps.ts'
import { BROWSERS, type BrowserKind, isInstalled } from '../e2e/src/other-browsers/web-driver.ts'
import { buildPortal } from './portal-build.ts'

const DRIVER_PORT = 9_515

/** Tries every step in one browser, each of which needs those before it. @returns whether all of them went well */
const tryBrowser = async ({ name, start }: BrowserKind, port: number, url: string): Promise<boolean> => {
  const startedAt = performance.now()
  const driver = await start(port)
  const page = browserPage(driver)
  let done = 0
  try {
    for (const step of STEPS) {
      await step.run(page, url)
      done += 1
    }
  } catch (error) {
    console.error(`${name}: ${STEPS[done]?.name}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await driver.close()
  }
  console.log(`${name}: ${done} of ${STEPS.length} steps, ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  return done === STEPS.length
}

const installed = BROWSERS.filter(isInstalled)
for (const { name, programs } of BROWSERS.filter((browser) => !isInstalled(browser)))
  console.warn(`LEFT OUT: ${name}. This machine lacks one of ${programs.join(', ')}.`)
if (installed.length > 0) {
  await buildPortal()
  const product = await startProduct()
  let isFine = true
  for (const [at, browser] of installed.entries()) isFine = (await tryBrowser(browser, DRIVER_PORT + at, product.url)) && isFine
  await product.remove()
  process.exitCode = isFine ? 0 : 1
}
