import type { Stored } from '@counterfoil/contract/payment-methods'
import type { CustomerRequestContext, FileResponse, RegisterRoute } from '../../http/request-context.ts'
import type { MethodDetails, MethodRow, NewMethod } from './method.ts'

/** What a customer may change of a stored method; a member that is absent stays. */
export type MethodChanges = Omit<MethodDetails, 'brand' | 'last4' | 'networkRef'>

/** What the paths of a provider can do. Each answers 404 to customers of resellers with another provider. */
export interface MethodHandlers {
  /** The customer's stored methods of one kind, first added first. */
  list(request: CustomerRequestContext, kind: MethodRow['kind']): Promise<MethodRow[]>
  /** Stores a method; a first one becomes the default. */
  store(request: CustomerRequestContext, method: NewMethod): Promise<Stored>
  update(
    request: CustomerRequestContext,
    method: { readonly id: string; readonly kind: MethodRow['kind']; readonly changes: MethodChanges },
  ): Promise<MethodRow>
  remove(request: CustomerRequestContext, id: string, kind: MethodRow['kind']): Promise<void>
  makeDefault(request: CustomerRequestContext, id: string): Promise<void>
  /** Prepares the provider's form for the browser: for a new card, or for changes of a stored one. @returns the provider's fields for it */
  createCardForm(
    request: CustomerRequestContext,
    changed?: { readonly id: string; readonly email: string | null },
  ): Promise<Readonly<Record<string, string>>>
  /** A document with the frame of the provider's own page, in which a method to store is entered. */
  frame(request: CustomerRequestContext, kind: MethodRow['kind']): Promise<FileResponse>
  /** A document with the frame in which the card that pays an intent is entered. */
  payFrame(request: CustomerRequestContext, sessionId: string, shownTotal: string | undefined): Promise<FileResponse>
  /** Stores what was entered in a frame, by the frame's signed state. */
  storeFramed(request: CustomerRequestContext, state: string): Promise<Stored>
}

/** A provider's own paths for stored methods: how their requests are read, and how methods are shown. */
export interface MethodPaths {
  /** The `pathFamily` of the provider's `storing`. */
  readonly pathFamily: string
  readonly register: (route: RegisterRoute, methods: MethodHandlers) => void
}
