import { timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Keys } from '../../kit/keys.ts'
import { matchesSchema } from '../../kit/schema.ts'

const FRAME_TTL_MS = 3_600_000

const Store = Type.Object({ purpose: Type.Literal('store'), sessionId: Type.String() })
/** The total with the fee that the frame was opened with; none in a frame of an earlier version. */
const ShownTotal = Type.Optional(Type.String())
const Bulk = Type.Object({ purpose: Type.Literal('bulk'), sessionId: Type.String(), intentId: Type.String(), shownTotal: ShownTotal })
const Link = Type.Object({
  purpose: Type.Literal('link'),
  payToken: Type.String(),
  /** As the page showed them. */
  invoiceNumber: Type.String(),
  invoiceAmount: Type.String(),
  shownTotal: ShownTotal,
})

/** What a frame was opened for: to store a method, to pay an intent, or to pay the invoice of a payment link. */
export type FramePurpose = Static<typeof Store> | Static<typeof Bulk> | Static<typeof Link>

const Entry = Type.Object({
  /** Our reference of what is entered. */
  entryRef: Type.String(),
  kind: Type.Union([Type.Literal('card'), Type.Literal('bank')]),
  resellerId: Type.Integer(),
  customerId: Type.Integer(),
  /** The page around the frame, which alone gets a message. */
  origin: Type.String(),
})

const Expiry = Type.Object({ expiresAt: Type.Integer() })
const State = Type.Intersect([Type.Union([Store, Bulk, Link]), Entry, Expiry])

/** A frame with the provider's own page. Its state comes back signed, through the provider. */
export type FrameState = FramePurpose & Static<typeof Entry>

/** The keyed signature of a frame's state. */
const signatureOf = (keys: Keys, body: string): Buffer => keys.mac('link', 'payment frame', body)

/** A text with what a frame is opened for, signed and readable by everybody; valid for `FRAME_TTL_MS`, however often it is used. */
export const signFrameState = (keys: Keys, state: FrameState, now: Date): string => {
  const body = Buffer.from(JSON.stringify({ ...state, expiresAt: now.getTime() + FRAME_TTL_MS })).toString('base64url')
  return `${body}.${signatureOf(keys, body).toString('base64url')}`
}

/** What a frame was opened for; undefined for a text that this installation has not signed, or that has expired. */
export const readFrameState = (keys: Keys, signed: string, now: Date): FrameState | undefined => {
  const [body = '', signature = '', another] = signed.split('.')
  const [expected, given] = [signatureOf(keys, body), Buffer.from(signature, 'base64url')]
  if (another !== undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const state = JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown
  return matchesSchema(State, state) && state.expiresAt > now.getTime() ? state : undefined
}
