import { base } from './stripe-request.browser.js'

const FRAME_TITLES = {
  card: 'Secure card payment input frame',
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
  iban: 'Secure IBAN input frame',
  auBankAccount: 'Secure bank account input frame',
}
const CLASSES = { base: 'StripeElement', complete: 'StripeElement--complete', empty: 'StripeElement--empty' }
const MORE_CLASSES = {
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
}
let count = 0

/** One element: its frame, its events, and the calls that need what is typed into it. */
export class Element {
  #type
  #options
  #group
  #listeners = new Map()
  #waiting = new Map()
  #frame = null
  #ready = null
  #closed
  #home = null

  constructor(type, options, { group, closed }) {
    this.#type = type
    this.#options = { ...options }
    this.#group = group
    this.#closed = closed
  }

  mount(place) {
    const home = typeof place === 'string' ? document.querySelector(place) : place
    if (!home) throw new Error(`The selector you specified (${place}) applies to no DOM elements that are currently on the page.`)
    if (this.#frame !== null) this.unmount()
    this.#home = home
    home.replaceChildren(this.#newFrame())
    this.#paint({ empty: true })
    addEventListener('message', this.#hear)
    // A label cannot reach into a frame by itself.
    if (home.id)
      for (const label of document.querySelectorAll(`label[for="${CSS.escape(home.id)}"]`)) label.addEventListener('click', this.#focused)
    return this
  }

  #newFrame() {
    const holder = document.createElement('div')
    holder.className = '__PrivateStripeElement'
    holder.style.cssText = 'margin:0;padding:0;border:none;display:block;background:transparent;position:relative;opacity:1'
    const frame = document.createElement('iframe')
    count += 1
    frame.name = `__privateStripeFrame${count}`
    frame.title = FRAME_TITLES[this.#type]
    frame.allow = 'payment *'
    frame.style.cssText =
      'border:none;margin:0;padding:0;width:1px;min-width:100%;overflow:hidden;display:block;user-select:none;color-scheme:normal'
    frame.style.height = '1.2em'
    const { promise, resolve } = Promise.withResolvers()
    this.#ready = { promise, resolve }
    frame.src = `${base}/v3/elements-inner.html?type=${this.#type}#${encodeURIComponent(JSON.stringify({ group: this.#group, options: this.#options }))}`
    this.#frame = frame
    holder.append(frame)
    return holder
  }

  #hear = ({ source, origin, data }) => {
    if (this.#frame === null || source !== this.#frame.contentWindow || origin !== base.origin) return
    if (data.kind === 'answer') this.#waiting.get(data.id)?.(data.answer)
    else if (data.kind === 'height') this.#frame.style.height = `${data.height}px`
    else if (data.kind === 'event') this.#happen(data.name, data.detail)
  }

  #happen(name, detail) {
    if (name === 'ready') this.#ready.resolve()
    if (name === 'change') this.#paint({ complete: detail.complete, empty: detail.empty, invalid: detail.error !== undefined })
    if (name === 'focus' || name === 'blur') this.#paint({ focus: name === 'focus' })
    const event =
      name === 'ready' || name === 'focus' || name === 'blur' ? { elementType: this.#type } : { elementType: this.#type, ...detail }
    for (const listener of this.#listeners.get(name) ?? []) listener(event)
  }

  #paint(states) {
    const names = { ...CLASSES, ...MORE_CLASSES, ...this.#options.classes }
    this.#home.classList.add(names.base)
    for (const [state, is] of Object.entries(states)) this.#home.classList.toggle(names[state], Boolean(is))
  }

  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    return this
  }

  once(name, listener) {
    const first = (event) => {
      this.off(name, first)
      listener(event)
    }
    return this.on(name, first)
  }

  off(name, listener) {
    const others = (this.#listeners.get(name) ?? []).filter((one) => listener !== undefined && one !== listener)
    this.#listeners.set(name, others)
    return this
  }

  update(options) {
    this.#options = { ...this.#options, ...options }
    this.#tell({ kind: 'update', options: this.#options })
    return this
  }

  #focused = () => this.focus()

  focus() {
    this.#tell({ kind: 'focus' })
    return this
  }

  blur() {
    this.#tell({ kind: 'blur' })
    return this
  }

  clear() {
    this.#tell({ kind: 'clear' })
    return this
  }

  unmount() {
    removeEventListener('message', this.#hear)
    this.#home?.classList.remove(...Object.values({ ...CLASSES, ...MORE_CLASSES, ...this.#options.classes }))
    this.#home?.replaceChildren()
    this.#frame = null
    for (const answer of this.#waiting.values()) answer({ status: 0, body: null })
    return this
  }

  destroy() {
    this.unmount()
    this.#listeners.clear()
    this.#closed()
    return this
  }

  #tell(message) {
    void this.#ready?.promise.then(() => this.#frame?.contentWindow.postMessage(message, base.origin))
  }

  /** Makes a call with what is typed here and in the elements beside it, as `prefix[card][number]` and so on. */
  callWith(path, form, prefix) {
    if (this.#frame === null)
      throw new Error(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    const id = Math.random()
    const { promise, resolve } = Promise.withResolvers()
    this.#waiting.set(id, resolve)
    this.#tell({ kind: 'call', id, path, form, prefix })
    return promise.finally(() => this.#waiting.delete(id))
  }
}

/** The type, or a component of the React library that stands for it. */
const nameOf = (type) => (typeof type === 'string' ? type : type['__elementType'])

/** A group of elements: what `stripe.elements()` gives. */
export const elementsOf = () => {
  const group = String(Math.random())
  const open = new Map()
  return {
    create: (type, options = {}) => {
      if (!Object.hasOwn(FRAME_TITLES, type)) throw new Error(`The sandbox's Stripe.js has no element of the type "${type}".`)
      if (open.has(type)) throw new Error(`Can only create one Element of type ${type} through elements().`)
      const element = new Element(type, options, { group, closed: () => open.delete(type) })
      open.set(type, element)
      return element
    },
    getElement: (type) => open.get(nameOf(type)) ?? null,
    update: () => undefined,
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  }
}
