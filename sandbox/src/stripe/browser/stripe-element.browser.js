import { sandboxUrl } from './stripe-request.browser.js'

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
let frameCount = 0

/** One element: its frame, its events, and the API requests with what is typed into it. */
export class Element {
  #type
  #options
  #group
  #fonts
  #listeners = new Map()
  #waiting = new Map()
  #frame = null
  #ready = null
  #markReady = () => undefined
  #onDestroy
  #container = null

  constructor(type, options, { group, fonts, onDestroy }) {
    this.#fonts = fonts
    this.#type = type
    this.#options = { ...options }
    this.#group = group
    this.#onDestroy = onDestroy
  }

  mount(target) {
    const container = typeof target === 'string' ? document.querySelector(target) : target
    if (!container) throw new Error(`The selector you specified (${target}) applies to no DOM elements that are currently on the page.`)
    if (this.#frame !== null) this.unmount()
    this.#container = container
    container.replaceChildren(this.#newFrame())
    this.#updateClasses({ empty: true })
    addEventListener('message', this.#onMessage)
    // A label cannot focus an input inside a frame.
    if (container.id)
      for (const label of document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`))
        label.addEventListener('click', this.#focusOnClick)
    return this
  }

  #newFrame() {
    const wrapper = document.createElement('div')
    wrapper.className = '__PrivateStripeElement'
    wrapper.style.cssText = 'margin:0;padding:0;border:none;display:block;background:transparent;position:relative;opacity:1'
    const frame = document.createElement('iframe')
    frameCount += 1
    frame.name = `__privateStripeFrame${frameCount}`
    frame.title = FRAME_TITLES[this.#type]
    frame.allow = 'payment *'
    frame.style.cssText =
      'border:none;margin:0;padding:0;width:1px;min-width:100%;overflow:hidden;display:block;user-select:none;color-scheme:normal'
    frame.style.height = '1.2em'
    this.#ready = new Promise((resolve) => {
      this.#markReady = resolve
    })
    frame.src = `${sandboxUrl}/v3/elements-inner.html?type=${this.#type}#${encodeURIComponent(JSON.stringify({ group: this.#group, fonts: this.#fonts, options: this.#options }))}`
    this.#frame = frame
    wrapper.append(frame)
    return wrapper
  }

  #onMessage = ({ source, origin, data }) => {
    if (this.#frame === null || source !== this.#frame.contentWindow || origin !== sandboxUrl.origin) return
    if (data.kind === 'answer') this.#waiting.get(data.id)?.(data.answer)
    else if (data.kind === 'height') this.#frame.style.height = `${data.height}px`
    else if (data.kind === 'event') this.#dispatch(data.name, data.detail)
  }

  #dispatch(name, detail) {
    if (name === 'ready') this.#markReady()
    if (name === 'change') this.#updateClasses({ complete: detail.complete, empty: detail.empty, invalid: detail.error !== undefined })
    if (name === 'focus' || name === 'blur') this.#updateClasses({ focus: name === 'focus' })
    const event =
      name === 'ready' || name === 'focus' || name === 'blur' ? { elementType: this.#type } : { elementType: this.#type, ...detail }
    for (const listener of this.#listeners.get(name) ?? []) listener(event)
  }

  #updateClasses(changes) {
    const names = { ...CLASSES, ...MORE_CLASSES, ...this.#options.classes }
    this.#container.classList.add(names.base)
    for (const [state, isSet] of Object.entries(changes)) this.#container.classList.toggle(names[state], Boolean(isSet))
  }

  on(name, listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    return this
  }

  once(name, listener) {
    const listenOnce = (event) => {
      this.off(name, listenOnce)
      listener(event)
    }
    return this.on(name, listenOnce)
  }

  off(name, listener) {
    const others = (this.#listeners.get(name) ?? []).filter((entry) => listener !== undefined && entry !== listener)
    this.#listeners.set(name, others)
    return this
  }

  update(options) {
    this.#options = { ...this.#options, ...options }
    this.#post({ kind: 'update', options: this.#options })
    return this
  }

  #focusOnClick = () => this.focus()

  focus() {
    this.#post({ kind: 'focus' })
    return this
  }

  blur() {
    this.#post({ kind: 'blur' })
    return this
  }

  clear() {
    this.#post({ kind: 'clear' })
    return this
  }

  unmount() {
    removeEventListener('message', this.#onMessage)
    this.#container?.classList.remove(...Object.values({ ...CLASSES, ...MORE_CLASSES, ...this.#options.classes }))
    this.#container?.replaceChildren()
    this.#frame = null
    for (const answer of this.#waiting.values()) answer({ status: 0, body: null })
    return this
  }

  destroy() {
    this.unmount()
    this.#listeners.clear()
    this.#onDestroy()
    return this
  }

  #post(message) {
    void this.#ready?.then(() => this.#frame?.contentWindow.postMessage(message, sandboxUrl.origin))
  }

  /** Calls the API with what is typed here and in the other elements of the group, as `prefix[card][number]` and so on. */
  callWith(path, form, prefix) {
    if (this.#frame === null)
      throw new Error(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    const id = Math.random()
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve))
    this.#post({ kind: 'call', id, path, form, prefix })
    return answer.finally(() => this.#waiting.delete(id))
  }
}

/** The type, given by itself or as a component of Stripe's React library. */
const typeName = (type) => (typeof type === 'string' ? type : type['__elementType'])

/** A group of elements: the result of `stripe.elements()`. */
export const createElements = ({ fonts = [] } = {}) => {
  const group = String(Math.random())
  const openElements = new Map()
  return {
    create: (type, options = {}) => {
      if (!Object.hasOwn(FRAME_TITLES, type)) throw new Error(`The sandbox's Stripe.js has no element of the type "${type}".`)
      if (openElements.has(type)) throw new Error(`Can only create one Element of type ${type} through elements().`)
      const element = new Element(type, options, { group, fonts, onDestroy: () => openElements.delete(type) })
      openElements.set(type, element)
      return element
    },
    getElement: (type) => openElements.get(typeName(type)) ?? null,
    update: () => undefined,
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  }
}
