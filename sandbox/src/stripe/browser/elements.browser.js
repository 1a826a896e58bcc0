/** The script of an element's frame: its fields, their validation, and the API requests with what was typed. */
import { FIELDS, validate, valuesOf } from './fields.browser.js'

const type = new URLSearchParams(location.search).get('type')
const { group, fonts, options: initialOptions } = JSON.parse(decodeURIComponent(location.hash.slice(1)))

const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

for (const { family, src, ...descriptors } of fonts) document.fonts.add(new FontFace(family, src, descriptors))

let options = initialOptions
const form = document.querySelector('form')
const visibleFields = () => FIELDS[type].filter(({ name }) => !(name === 'postal' && options.hidePostalCode))

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

const postToPage = (message) => parent.postMessage(message, '*')
const emitEvent = (name, detail) => postToPage({ kind: 'event', name, detail })

const state = () =>
  validate(type, Object.fromEntries(visibleFields().map(({ name }) => [name, inputs.get(name).value])), { touched, options })

let lastState = ''
const isInitialState = (detail) => lastState === '' && detail.empty
const updateState = () => {
  const { invalidFields, incomplete: _, ...detail } = state()
  for (const [name, input] of inputs) {
    const isInvalid = invalidFields.includes(name)
    input.toggleAttribute('data-invalid', isInvalid)
    input.setAttribute('aria-invalid', String(isInvalid))
  }
  form.dataset.state = detail.error === undefined ? (detail.complete ? 'complete' : detail.empty ? 'empty' : 'base') : 'invalid'
  const now = JSON.stringify(detail)
  if (now !== lastState && !isInitialState(detail)) emitEvent('change', detail)
  lastState = now
}

const onInput = (field, input, isDeleting) => {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length).replaceAll(/[^0-9A-Za-z]/g, '').length
  const atEnd = input.selectionStart === input.value.length
  input.value = field.format(input.value, isDeleting)
  if (!atEnd) {
    let position = 0
    for (let count = 0; position < input.value.length && count < before; position += 1)
      if (/[0-9A-Za-z]/.test(input.value[position])) count += 1
    input.setSelectionRange(position, position)
  }
  updateState()
  if (atEnd && field.isFull(input.value)) nextInput(field.name)?.focus()
}

const nextInput = (name) => {
  const names = visibleFields().map((field) => field.name)
  return inputs.get(names[names.indexOf(name) + 1])
}

for (const field of FIELDS[type]) {
  const input = inputs.get(field.name)
  input.addEventListener('input', ({ inputType = '' }) => onInput(field, input, inputType.startsWith('delete')))
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') emitEvent('escape', {})
  })
}
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusin', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) emitEvent('focus')
})
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  touched.add(target.name)
  if (!form.contains(relatedTarget)) emitEvent('blur')
  updateState()
})

const SELECTORS = {
  ':hover': ':hover',
  ':focus': ':focus',
  '::placeholder': '::placeholder',
  '::selection': '::selection',
  ':disabled': ':disabled',
  ':-webkit-autofill': ':-webkit-autofill',
}

/** The page's `style` option as CSS rules of this frame. */
const cssRules = (selector, style = {}) => {
  const own = Object.entries(style).filter(([, value]) => typeof value !== 'object')
  const body = own
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}:${String(value).replaceAll(/[{};]/g, '')}`)
    .join(';')
  const inner = Object.entries(style).filter(([name]) => name in SELECTORS)
  return [`${selector}{${body}}`, ...inner.flatMap(([name, value]) => cssRules(selector + SELECTORS[name], value))]
}

const render = () => {
  const { style = {}, placeholder, disabled = false } = options
  const rules = [
    ...cssRules('input', style.base),
    ...cssRules('form[data-state=complete] input', style.complete),
    ...cssRules('form[data-state=empty] input', style.empty),
    ...cssRules('input[data-invalid]', { color: '#eb1c26', ...style.invalid }),
  ]
  sheet.replaceSync(rules.join('\n'))
  form.replaceChildren(...visibleFields().map(({ name }) => inputs.get(name)))
  for (const field of visibleFields()) {
    const input = inputs.get(field.name)
    input.disabled = disabled
    input.placeholder = visibleFields().length === 1 && placeholder !== undefined ? placeholder : field.placeholder
  }
  postToPage({ kind: 'height', height: Math.ceil(form.getBoundingClientRect().height) })
}

/** Lets the other frames of the group, which have the same origin, read what is typed here. */
globalThis.sandboxElement = {
  group,
  type,
  values: () => valuesOf(type, (name) => inputs.get(name).value),
  incomplete: () => state().incomplete,
}

/** The elements that together make one card. */
const SINGLE_CARD_TYPES = new Set(['cardNumber', 'cardExpiry', 'cardCvc'])

const groupElements = () => {
  const elements = []
  for (let index = 0; index < parent.frames.length; index += 1) {
    try {
      const element = parent.frames[index].sandboxElement
      if (element?.group === group && (element.type === type || (SINGLE_CARD_TYPES.has(element.type) && SINGLE_CARD_TYPES.has(type))))
        elements.push(element)
    } catch {
      // Frames of other origins are not readable and not part of the group.
    }
  }
  return elements
}

const paramName = (prefix, name) => (prefix === '' ? name : `${prefix}[${name.split('[')[0]}]${name.slice(name.split('[')[0].length)}`)

/** A token has no billing details; its card has the postal code. */
const tokenParamName = (name) => (name.startsWith('billing_details') ? 'card[address_zip]' : name)

const callApi = async ({ id, path, form: rest, prefix }) => {
  const elements = groupElements()
  for (const [, input] of inputs) touched.add(input.name)
  updateState()
  const incomplete = elements.map((element) => element.incomplete()).find((error) => error !== undefined)
  if (incomplete !== undefined) return postToPage({ kind: 'answer', id, answer: { status: 400, body: { error: incomplete } } })
  const values = elements
    .flatMap((element) => element.values())
    .map(([name, value]) => [path === '/v1/tokens' ? tokenParamName(name) : paramName(prefix, name), value])
  const otherEntries = rest.filter(([name]) => !values.some(([own]) => own === name))
  try {
    const answer = await fetch(`..${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([...otherEntries, ...values]).toString(),
    })
    return postToPage({ kind: 'answer', id, answer: { status: answer.status, body: await answer.json() } })
  } catch {
    return postToPage({ kind: 'answer', id, answer: { status: 0, body: null } })
  }
}

const MESSAGE_HANDLERS = {
  call: callApi,
  update: (message) => {
    options = message.options
    render()
    updateState()
  },
  focus: () => form.querySelector('input').focus(),
  blur: () => document.activeElement?.blur(),
  clear: () => {
    for (const input of inputs.values()) input.value = ''
    touched.clear()
    updateState()
  },
}

addEventListener('message', ({ source, data }) => {
  if (source === parent) void MESSAGE_HANDLERS[data.kind]?.(data)
})

render()
form.dataset.state = 'empty'
new ResizeObserver(() => postToPage({ kind: 'height', height: Math.ceil(form.getBoundingClientRect().height) })).observe(form)
emitEvent('ready')
