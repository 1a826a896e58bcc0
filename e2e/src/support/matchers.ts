import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Playwright's matchers by their names there. Each retries until it holds, and fails with what was on the page instead. */
interface RetryingMatchers {
  toBeVisible(): Promise<void>
  toHaveCount(count: number): Promise<void>
  /** The whole text, white space included. A list of texts stands for all elements that the locator finds. */
  toHaveText(text: string | RegExp | undefined | readonly (string | undefined)[]): Promise<void>
  toContainText(text: string): Promise<void>
  toHaveValue(value: string | null | undefined): Promise<void>
  /** Without a value: the attribute is there. */
  toHaveAttribute(name: string, value?: string | null): Promise<void>
  toBeChecked(): Promise<void>
  toBeEnabled(): Promise<void>
  toBeDisabled(): Promise<void>
  toBeFocused(): Promise<void>
  /** The path and query of a page's URL; a URL with its origin, or a pattern that is tested on the whole URL. */
  toHaveURL(url: string | RegExp): Promise<void>
  toHaveTitle(title: string | RegExp): Promise<void>
}

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-unused-vars -- vitest declares these parameters
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends RetryingMatchers {}
}

const TIMEOUT_MS = 30_000
const INTERVAL_MS = 50

interface Observation {
  readonly isMet: boolean
  /** What is on the page, for the message of the failure. */
  readonly seen: unknown
}

const tryRead = async (read: () => Promise<Observation>): Promise<Observation> => {
  try {
    return await read()
  } catch (error) {
    // A page that is just being replaced cannot be read.
    return { isMet: false, seen: error instanceof Error ? error.message : error }
  }
}

interface State {
  readonly isNot?: boolean
  readonly utils: { printExpected(value: unknown): string; printReceived(value: unknown): string }
}

interface Result {
  readonly pass: boolean
  readonly message: () => string
}

/** Reads until the matcher holds, or until it no longer holds after `.not`. */
const retry = async (
  state: State,
  subject: Locator | Page,
  claim: string,
  expected: unknown,
  read: () => Promise<Observation>,
): Promise<Result> => {
  const deadline = performance.now() + TIMEOUT_MS
  let last = await tryRead(read)
  const isWanted = state.isNot !== true
  while (last.isMet !== isWanted && performance.now() < deadline) {
    await delay(INTERVAL_MS)
    last = await tryRead(read)
  }
  const place = 'url' in subject ? 'the page' : `${subject}`
  const wanted = expected === undefined ? '' : ` ${state.utils.printExpected(expected)}`
  return {
    pass: last.isMet,
    message: () =>
      `expected ${place}${isWanted ? '' : ' not'} ${claim}${wanted}\nbut after ${TIMEOUT_MS / 1_000} seconds saw ${state.utils.printReceived(last.seen)}`,
  }
}

type ExpectedText = string | RegExp | undefined

const isText = (seen: string, expected: ExpectedText): boolean => (expected instanceof RegExp ? expected.test(seen) : seen === expected)

interface ElementState {
  readonly text: string
  readonly value: string | null
  readonly isChecked: boolean
  readonly isDisabled: boolean
  readonly isFocused: boolean
  readonly attributes: Readonly<Record<string, string>>
}

/** The elements that a locator finds now, without waiting for any. */
const readElements = (locator: Locator): Promise<ElementState[]> =>
  locator.evaluateAll((elements) =>
    elements.map((element) => ({
      text: element.textContent ?? '',
      value: 'value' in element ? String(element.value) : null,
      isChecked: 'checked' in element ? element.checked === true : element.getAttribute('aria-checked') === 'true',
      isDisabled: element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null,
      isFocused: element === document.activeElement,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    })),
  )

/** Observes the only element that a locator finds. None or several never meet an expectation. */
const observeOne =
  <T>(locator: Locator, pick: (element: ElementState) => T, isMet: (seen: T) => boolean): (() => Promise<Observation>) =>
  async () => {
    const [element, ...others] = await readElements(locator)
    if (element === undefined) return { isMet: false, seen: 'no such element' }
    if (others.length > 0) return { isMet: false, seen: [element, ...others].map(({ text }) => text) }
    return { isMet: isMet(pick(element)), seen: pick(element) }
  }

const observeTexts = (locator: Locator, expected: readonly (string | undefined)[]) => async (): Promise<Observation> => {
  const seen = (await readElements(locator)).map(({ text }) => text)
  return { isMet: seen.length === expected.length && seen.every((text, at) => text === expected[at]), seen }
}

const observeVisible = (locator: Locator) => async (): Promise<Observation> => {
  const isMet = await locator.isVisible()
  return { isMet, seen: isMet ? 'visible' : (await locator.count()) === 0 ? 'no such element' : 'hidden' }
}

const observeEnabled = (locator: Locator, expected: 'enabled' | 'disabled'): (() => Promise<Observation>) =>
  observeOne(
    locator,
    ({ isDisabled }) => (isDisabled ? 'disabled' : 'enabled'),
    (seen) => seen === expected,
  )

const observeUrl = (page: Page, expected: string | RegExp) => (): Promise<Observation> => {
  const { pathname, search } = new URL(page.url())
  const seen = typeof expected === 'string' && expected.startsWith('/') ? pathname + search : page.url()
  return Promise.resolve({ isMet: isText(seen, expected), seen })
}

expect.extend({
  toBeVisible(locator: Locator) {
    return retry(this, locator, 'to be visible', undefined, observeVisible(locator))
  },
  toHaveCount(locator: Locator, count: number) {
    return retry(this, locator, 'to have as many elements as', count, async () => {
      const elements = await readElements(locator)
      return { isMet: elements.length === count, seen: { count: elements.length, texts: elements.slice(0, 5).map(({ text }) => text) } }
    })
  },
  toHaveText(locator: Locator, expected: ExpectedText | readonly (string | undefined)[]) {
    const read = Array.isArray(expected)
      ? observeTexts(locator, expected)
      : observeOne(
          locator,
          ({ text }) => text,
          (text) => isText(text, expected as ExpectedText),
        )
    return retry(this, locator, 'to have text', expected, read)
  },
  toContainText(locator: Locator, expected: string) {
    const read = observeOne(
      locator,
      ({ text }) => text,
      (text) => text.includes(expected),
    )
    return retry(this, locator, 'to contain text', expected, read)
  },
  toHaveValue(locator: Locator, expected: string | null | undefined) {
    const read = observeOne(
      locator,
      ({ value }) => value,
      (value) => value === expected,
    )
    return retry(this, locator, 'to have value', expected, read)
  },
  toHaveAttribute(locator: Locator, name: string, expected?: string | null) {
    const read = observeOne(
      locator,
      ({ attributes }) => attributes[name] ?? null,
      (value) => (expected === undefined ? value !== null : value === expected),
    )
    return retry(this, locator, `to have attribute ${name}`, expected, read)
  },
  toBeChecked(locator: Locator) {
    const read = observeOne(
      locator,
      ({ isChecked }) => (isChecked ? 'checked' : 'not checked'),
      (seen) => seen === 'checked',
    )
    return retry(this, locator, 'to be checked', undefined, read)
  },
  toBeEnabled(locator: Locator) {
    return retry(this, locator, 'to be enabled', undefined, observeEnabled(locator, 'enabled'))
  },
  toBeDisabled(locator: Locator) {
    return retry(this, locator, 'to be disabled', undefined, observeEnabled(locator, 'disabled'))
  },
  toBeFocused(locator: Locator) {
    return retry(this, locator, 'to be focused', undefined, async () => {
      const [element, ...others] = await readElements(locator)
      if (element?.isFocused === true && others.length === 0) return { isMet: true, seen: 'focused' }
      const focused = locator.page().locator(':focus')
      return { isMet: false, seen: { focus: (await readElements(focused)).map(({ text, attributes }) => ({ text, attributes })) } }
    })
  },
  toHaveURL(page: Page, expected: string | RegExp) {
    return retry(this, page, 'to have the URL', expected, observeUrl(page, expected))
  },
  toHaveTitle(page: Page, expected: string | RegExp) {
    return retry(this, page, 'to have the title', expected, async () => {
      const seen = await page.title()
      return { isMet: isText(seen, expected), seen }
    })
  },
})
