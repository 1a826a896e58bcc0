import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM_CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const findSystemBrowser = (): string | undefined => process.env['CHROMIUM'] ?? SYSTEM_CHROMIUM_PATHS.find((path) => existsSync(path))

/** Unpacks the browser of the npm package before the tests: two workers at once would break it. */
export const setup = async (): Promise<void> => {
  if (findSystemBrowser() === undefined) await sparticuz.executablePath()
}

/**
 * The system's Chromium, or the one from npm without its default arguments: those disable the same-origin policy,
 * which these tests rely on.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const system = findSystemBrowser()
  if (system !== undefined) return chromium.launch({ executablePath: system, args: ['--no-sandbox'] })
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox', '--disable-gpu', '--headless=shell'] })
}
