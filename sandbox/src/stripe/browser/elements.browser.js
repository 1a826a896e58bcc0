/** What stands inside an element's frame: its fields, their rules, and the calls that carry what was typed to the sandbox. */
import { FIELDS, judged, valuesOf } from './fields.browser.js'

const type = new URLSearchParams(location.search).get('type')
const { group, options: first } = JSON.parse(decodeURIComponent(location.hash.slice(1)))

const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

let options = first
const form = document.querySelector('form')
const shown = () => FIELDS[type].filter(({ name }) => !(name === 'postal' && options.hidePostalCode))

const inputs = new Map(
  FIELDS[type].map((field) => {
    const input = document.createElement('input')
    input.name = field.name
    input.autocomplete = field.autocomplete
    input.inputMode = field.inputMode
    input.spellcheck = false
    input.setAttribute('aria-label', field.label)
    return [field.name, input]
  }),
)
const touched = new Set()

const tell = (message) => parent.postMessage(message, '*')
const happened = (name, detail) => tell({ kind: 'event', name, detail })

const state = () => judged(type, Object.fromEntries(shown().map(({ name }) => [name, inputs.get(name).value])), { touched, options })

let last = ''
const isTold = (detail) => last === '' && detail.empty
const changed = () => {
  const { wrong, incomplete: _, ...detail } = state()
  for (const [name, input] of inputs) {
    const isWrong = wrong.includes(name)
    input.toggleAttribute('data-wrong', isWrong)
    input.setAttribute('aria-invalid', String(isWrong))
  }
  form.dataset.state = detail.error === undefined ? (detail.complete ? 'complete' : detail.empty ? 'empty' : 'base') : 'invalid'
  const now = JSON.stringify(detail)
  if (now !== last && !isTold(detail)) happened('change', detail)
  last = now
}

const typed = (field, input, isRubbing) => {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length).replaceAll(/[^0-9A-Za-z]/g, '').length
  const atEnd = input.selectionStart === input.value.length
  input.value = field.format(input.value, isRubbing)
  if (!atEnd) {
    let place = 0
    for (let seen = 0; place < input.value.length && seen < before; place += 1) if (/[0-9A-Za-z]/.test(input.value[place])) seen += 1
    input.setSelectionRange(place, place)
  }
  changed()
  if (atEnd && field.isFull(input.value)) nextAfter(field.name)?.focus()
}

const nextAfter = (name) => {
  const names = shown().map((field) => field.name)
  return inputs.get(names[names.indexOf(name) + 1])
}

for (const field of FIELDS[type]) {
  const input = inputs.get(field.name)
  input.addEventListener('input', ({ inputType = '' }) => typed(field, input, inputType.startsWith('delete')))
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') happened('escape', {})
  })
}
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusin', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) happened('focus')
})
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  touched.add(target.name)
  if (!form.contains(relatedTarget)) happened('blur')
  changed()
})

const SELECTORS = {
  ':hover': ':hover',
  ':focus': ':focus',
  '::placeholder': '::placeholder',
  '::selection': '::selection',
  ':disabled': ':disabled',
  ':-webkit-autofill': ':-webkit-autofill',
}

/** The page's `style` option as rules of this frame. */
const rulesOf = (selector, look = {}) => {
  const own = Object.entries(look).filter(([, value]) => typeof value !== 'object')
  const body = own
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}:${String(value).replaceAll(/[{};]/g, '')}`)
    .join(';')
  const inner = Object.entries(look).filter(([name]) => name in SELECTORS)
  return [`${selector}{${body}}`, ...inner.flatMap(([name, value]) => rulesOf(selector + SELECTORS[name], value))]
}

const drawn = () => {
  const { style = {}, placeholder, disabled = false } = options
  const rules = [
    ...rulesOf('input', style.base),
    ...rulesOf('form[data-state=complete] input', style.complete),
    ...rulesOf('form[data-state=empty] input', style.empty),
    ...rulesOf('input[data-wrong]', { color: '#eb1c26', ...style.invalid }),
  ]
  sheet.replaceSync(rules.join('\n'))
  form.replaceChildren(...shown().map(({ name }) => inputs.get(name)))
  for (const field of shown()) {
    const input = inputs.get(field.name)
    input.disabled = disabled
    input.placeholder = shown().length === 1 && placeholder !== undefined ? placeholder : field.placeholder
  }
  tell({ kind: 'height', height: Math.ceil(form.getBoundingClientRect().height) })
}

/** What is typed in the elements that belong together: frames of one origin may look at each other. */
globalThis.sandboxElement = {
  group,
  type,
  values: () => valuesOf(type, (name) => inputs.get(name).value),
  incomplete: () => state().incomplete,
}

/** The three that make one card. */
const SPLIT = new Set(['cardNumber', 'cardExpiry', 'cardCvc'])

const together = () => {
  const found = []
  for (let at = 0; at < parent.frames.length; at += 1) {
    try {
      const element = parent.frames[at].sandboxElement
      if (element?.group === group && (element.type === type || (SPLIT.has(element.type) && SPLIT.has(type)))) found.push(element)
    } catch {
      // A frame of another origin is none of ours.
    }
  }
  return found
}

const named = (prefix, name) => (prefix === '' ? name : `${prefix}[${name.split('[')[0]}]${name.slice(name.split('[')[0].length)}`)

/** A token has no billing details: its card has the postal code. */
const tokenName = (name) => (name.startsWith('billing_details') ? 'card[address_zip]' : name)

const called = async ({ id, path, form: rest, prefix }) => {
  const elements = together()
  for (const [, input] of inputs) touched.add(input.name)
  changed()
  const incomplete = elements.map((element) => element.incomplete()).find((error) => error !== undefined)
  if (incomplete !== undefined) return tell({ kind: 'answer', id, answer: { status: 400, body: { error: incomplete } } })
  const values = elements
    .flatMap((element) => element.values())
    .map(([name, value]) => [path === '/v1/tokens' ? tokenName(name) : named(prefix, name), value])
  const sent = rest.filter(([name]) => !values.some(([own]) => own === name))
  try {
    const answer = await fetch(`..${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([...sent, ...values]).toString(),
    })
    return tell({ kind: 'answer', id, answer: { status: answer.status, body: await answer.json() } })
  } catch {
    return tell({ kind: 'answer', id, answer: { status: 0, body: null } })
  }
}

const ACTS = {
  call: called,
  update: (message) => {
    options = message.options
    drawn()
    changed()
  },
  focus: () => form.querySelector('input').focus(),
  blur: () => document.activeElement?.blur(),
  clear: () => {
    for (const input of inputs.values()) input.value = ''
    touched.clear()
    changed()
  },
}

addEventListener('message', ({ source, data }) => {
  if (source === parent) void ACTS[data.kind]?.(data)
})

drawn()
form.dataset.state = 'empty'
new ResizeObserver(() => tell({ kind: 'height', height: Math.ceil(form.getBoundingClientRect().height) })).observe(form)
happened('ready')
