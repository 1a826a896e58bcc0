import { setTimeout as delay } from 'node:timers/promises'
import type { Driver } from './web-driver.ts'

const PATIENCE_MS = 20_000
const CONTROL = '\uE009'

/** What is looked for in a page: an element of a role by its name, or by a part of it. */
export type Role = 'button' | 'link' | 'field' | 'heading' | 'option' | 'checkbox' | 'frame' | 'text'

const SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button, [role=button]',
  link: 'a[href]',
  field: 'input:not([type=checkbox]), select, textarea',
  heading: 'h1, h2, h3',
  option: '[role=option], [role=menuitem]',
  checkbox: 'input[type=checkbox]',
  frame: 'iframe',
  text: 'main *, [role=dialog] *, body *',
}

/** Finds the first visible element, scrolls it into view and tells where it stands; null without one. Runs in the page. */
const FIND = `
  const nameOf = (element) => [element.getAttribute('aria-label'), element.title, ...[...(element.labels ?? [])].map((label) => label.textContent),
    (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' '),
    selector.includes('input') ? '' : element.textContent].map((text) => (text ?? '').trim())
  const element = [...document.querySelectorAll(selector)].find((one) =>
    one.getClientRects().length > 0 && nameOf(one).some((name) => name !== '' && (isPart ? name.includes(wanted) : name === wanted)))
  if (element === undefined) return null
  element.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: Math.round(x), y: Math.round(y), width, height, isDisabled: element.disabled === true }
`

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly isDisabled: boolean
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A page as a person uses it: what is looked for by its name is waited for, and pressed where it stands. */
export const browserPage = (driver: Driver) => {
  const findNow = (role: Role, name: string, isPart: boolean): Promise<unknown> =>
    driver.evaluate(
      `const selector = ${JSON.stringify(SELECTORS[role])}; const wanted = ${JSON.stringify(name)}; const isPart = ${isPart};${FIND}`,
    )

  const until = async <T>(what: string, read: () => Promise<T | null>): Promise<T> => {
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      // A page that is just being replaced cannot be read.
      const found = await read().catch(() => null)
      if (found !== null) return found
      if (performance.now() > deadline) throw new Error(`${what} was not found; the page shows: ${await shownText()}`)
      await delay(100)
    }
  }

  const shownText = async (): Promise<string> =>
    String(await driver.evaluate('return location.pathname + " " + document.body.innerText').catch(String)).slice(0, 600)

  const find = (role: Role, name: string, isPart = false): Promise<Place> =>
    until(`${role} ${name}`, async () => {
      const place = (await findNow(role, name, isPart)) as Place | null
      return place === null || place.isDisabled ? null : place
    })

  const press = (place: Place, { x, y } = { x: place.width / 2, y: place.height / 2 }): Promise<void> =>
    driver.perform([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x: Math.round(place.x + x), y: Math.round(place.y + y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])

  const type = (text: string): Promise<void> =>
    driver.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: [...text].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      },
    ])

  const selectAll = (): Promise<void> =>
    driver.perform([
      {
        type: 'key',
        id: 'keyboard',
        actions: [
          { type: 'keyDown', value: CONTROL },
          { type: 'keyDown', value: 'a' },
          { type: 'keyUp', value: 'a' },
          { type: 'keyUp', value: CONTROL },
        ],
      },
    ])

  return {
    open: (url: string) => driver.open(url),
    evaluate: (body: string) => driver.evaluate(body),
    type,
    /** Waits until the body of a function returns true in the page. */
    waitFor: async (what: string, body: string): Promise<void> =>
      void (await until(what, async () => ((await driver.evaluate(body)) === true ? true : null))),
    /** Waits until it is there. */
    see: async (role: Role, name: string, isPart = false): Promise<void> => void (await find(role, name, isPart)),
    click: async (role: Role, name: string, isPart = false): Promise<void> => press(await find(role, name, isPart)),
    /** Presses a point of it, counted from its upper left corner. */
    clickAt: async (role: Role, name: string, point: Point): Promise<void> => press(await find(role, name), point),
    /** Replaces what stands in a field, or in the field of a frame. */
    fill: async (name: string, text: string, role: Role = 'field'): Promise<void> => {
      const fillNow = async (): Promise<true | null> => {
        await press(await find(role, name))
        await selectAll()
        await type(text)
        // A page that was still coming has lost what was typed. What is in a frame cannot be read.
        const body = `return [...document.querySelectorAll('input, textarea')].some(({ value }) => value === ${JSON.stringify(text)})`
        return role !== 'field' || (await driver.evaluate(body)) === true ? true : null
      }
      await until(`what was typed into ${name}`, fillNow)
    },
    /** Sets a field that the browser draws itself, a list or a date, as its own picker does. */
    choose: async (name: string, value: string): Promise<void> => {
      await find('field', name)
      await driver.evaluate(`
        const field = [...document.querySelectorAll('select, input')].find((one) => [...one.labels].some((label) => label.textContent.trim() === ${JSON.stringify(name)}))
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, ${JSON.stringify(value)})
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))`)
    },
  }
}

export type BrowserPage = ReturnType<typeof browserPage>
