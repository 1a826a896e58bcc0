import { isLuhn } from '../payments/cards.ts'
import { GatewayError } from './receipt.ts'
import type { BlockName, Texts, Transaction } from './transaction.ts'
import type { XmlElement } from './xml.ts'

const MAX_AMOUNT_LENGTH = 9
const MAX_TOKEN_SECONDS = 900

/** A rule: whether a text has at most `length` characters. */
const hasMaxLength =
  (length: number) =>
  (text: string): boolean =>
    text.length <= length

/** What an element's text must be; an element that is not listed may have any text. */
const RULES: Readonly<Record<string, (text: string) => boolean>> = {
  order_id: hasMaxLength(50),
  cust_id: hasMaxLength(50),
  data_key: hasMaxLength(50),
  txn_number: hasMaxLength(255),
  amount: (text) => /^\d+\.\d{2}$/.test(text) && text.length <= MAX_AMOUNT_LENGTH,
  pan: (text) => /^\d{13,20}$/.test(text) && isLuhn(text),
  expdate: (text) => /^\d{2}(0[1-9]|1[0-2])$/.test(text),
  crypt_type: (text) => /^[1-9]$/.test(text),
  duration: (text) => /^\d{1,3}$/.test(text) && Number(text) > 0 && Number(text) <= MAX_TOKEN_SECONDS,
  cvd_indicator: (text) => /^[0129]$/.test(text),
  cvd_value: (text) => /^\d{3,4}$/.test(text),
  payment_indicator: (text) => /^[CRUVXZ]$/.test(text),
  payment_information: (text) => /^[0-4]$/.test(text),
}

/** The error message for an element that is not valid. */
const messageOf = (name: string): string => (name === 'expdate' ? 'Invalid expiry date' : `Invalid ${name} parameter`)

const BLOCKS: Readonly<Record<BlockName, readonly string[] | undefined>> = {
  avs_info: ['avs_street_number', 'avs_street_name', 'avs_zipcode'],
  cvd_info: ['cvd_indicator', 'cvd_value'],
  cof_info: ['payment_indicator', 'payment_information', 'issuer_id'],
  cust_info: undefined,
  convfee_info: undefined,
}

/**
 * The texts of a transaction's plain elements, those outside of blocks.
 * @throws GatewayError for the first one, in the SDK's order, that is not valid
 */
export const fieldsOf = ({ name, children }: XmlElement, { elements, required, blocks }: Transaction): Texts => {
  const plain = children.filter((child) => !blocks.some((block) => block === child.name))
  checkNames(name, plain, elements)
  return checkedTexts(plain, elements, required)
}

/** The blocks that were sent, with the texts of their elements. @throws GatewayError when one has a wrong element, or is there twice */
export const blocksOf = ({ name: parent, children }: XmlElement, { blocks }: Transaction): Partial<Record<BlockName, Texts>> =>
  Object.fromEntries(
    blocks.flatMap((block) => {
      const [sent, again] = children.filter(({ name }) => name === block)
      if (sent === undefined) return []
      if (again !== undefined) throw new GatewayError(`Element ${block} is out of order in ${parent}`)
      const elements = BLOCKS[block]
      if (elements === undefined) return [[block, {}]]
      checkNames(block, sent.children, elements)
      return [[block, checkedTexts(sent.children, elements, block === 'cvd_info' ? elements : [])]]
    }),
  )

/** @throws GatewayError for the first element that is unknown, out of order or there twice */
const checkNames = (parent: string, sent: readonly XmlElement[], elements: readonly string[]): void => {
  let last = -1
  for (const { name } of sent) {
    const position = elements.indexOf(name)
    if (position === -1) throw new GatewayError(`Unknown element ${name} in ${parent}`)
    if (position <= last) throw new GatewayError(`Element ${name} is out of order in ${parent}`)
    last = position
  }
}

/** The texts that are not empty, by name. @throws GatewayError for the first element that is required and absent, or breaks its rule */
const checkedTexts = (sent: readonly XmlElement[], elements: readonly string[], required: readonly string[]): Texts => {
  const texts = Object.fromEntries(sent.filter(({ text }) => text !== '').map(({ name, text }) => [name, text]))
  for (const name of elements) {
    const text = texts[name]
    const isValid = text === undefined ? !required.includes(name) : (RULES[name]?.(text) ?? true)
    if (!isValid) throw new GatewayError(messageOf(name))
  }
  return texts
}
