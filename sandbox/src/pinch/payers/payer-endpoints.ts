import { type ApiRequest, type ApiResponse, createdResponse, type Endpoint, okResponse } from '../api/endpoint.ts'
import { type Fields, field, textField, toFields } from '../api/fields.ts'
import { validationError, notFound } from '../api/pinch-error.ts'
import { toPage } from '../api/pages.ts'
import { toInstant } from '../store/ids.ts'
import { getPayer, newPayer, type Payer, payerBody, payerFieldNames } from './payer.ts'
import { newSource } from './source.ts'

/** The payer's fields that the body has as texts. */
const payerFields = (body: Fields): Payer['fields'] =>
  Object.fromEntries(
    payerFieldNames.flatMap((name) => {
      const text = textField(body, name)
      return text === undefined ? [] : [[name, text]]
    }),
  )

/** The message for an id that no payer has. */
const payerNotFoundText = (id: string): string => `Payer with id: ${id} not found`

/**
 * Stores a new payer, or changes the payer that `id` names and adds a source, and queues the event.
 * @throws PinchError for an unknown id or a field that is not valid
 */
const savePayer = ({ session, body }: ApiRequest): ApiResponse => {
  const id = textField(body, 'id')
  const known = id === undefined ? undefined : getPayer(session, id, payerNotFoundText)
  const fields = { ...known?.fields, ...payerFields(body) }
  if (fields.firstName === undefined) throw validationError('FirstName', "'First Name' must not be empty.")
  if (!/^[^\s@]+@[^\s@]+$/.test(fields.emailAddress ?? ''))
    throw validationError('EmailAddress', "'Email Address' is not a valid email address.")
  if (fields.mobileNumber !== undefined && !/^04\d{8}$/.test(fields.mobileNumber))
    throw validationError(
      'MobileNumber',
      'Mobile number must be a valid Australian number without international codes.',
      fields.mobileNumber,
    )
  const source = field(body, 'source') === null ? [] : [newSource(session, toFields(field(body, 'source')))]
  const payer =
    known === undefined ? newPayer(fields, source, toInstant(session.now)) : { ...known, fields, sources: [...known.sources, ...source] }
  session.put(payer)
  session.emit({ type: known === undefined ? 'payer-created' : 'payer-updated', metadata: {}, data: { payer: payerBody(payer) } })
  return known === undefined ? createdResponse(payerBody(payer)) : okResponse(payerBody(payer))
}

/** The response with a payer and all sources. @throws PinchError (404) when there is none */
const readPayer = ({ session, ids }: ApiRequest): ApiResponse => {
  const payer = session.find<Payer>('payer', ids[0] ?? '')
  if (payer === undefined) throw notFound()
  return okResponse(payerBody(payer))
}

/** Removes a payer with all sources. @throws PinchError (400) when there is none */
const removePayer = ({ session, ids }: ApiRequest): ApiResponse => {
  session.remove(getPayer(session, ids[0] ?? '', payerNotFoundText).id)
  return okResponse('')
}

/** Stores one more source of a payer. @throws PinchError without such a payer, or when the source is not valid */
const addSource = ({ session, body, ids }: ApiRequest): ApiResponse => {
  const payer = getPayer(session, ids[0] ?? '', payerNotFoundText)
  const source = newSource(session, body)
  session.put({ ...payer, sources: [...payer.sources, source] })
  return okResponse(source)
}

/** Removes a source of a payer. @throws PinchError when there is none */
const removeSource = ({ session, ids }: ApiRequest): ApiResponse => {
  const [payerId = '', sourceId = ''] = ids
  const payer = getPayer(session, payerId, payerNotFoundText)
  if (!payer.sources.some(({ id }) => id === sourceId)) throw validationError('sourceId', `Source with id: ${sourceId} not found`)
  session.put({ ...payer, sources: payer.sources.filter(({ id }) => id !== sourceId) })
  return okResponse('')
}

/** `/payers` and their sources */
export const payerEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/payers', operation: 'customer', handle: savePayer },
  {
    method: 'GET',
    path: '/payers',
    operation: 'customer',
    handle: ({ session, query }) => okResponse(toPage(query, session.all<Payer>('payer').map(payerBody))),
  },
  { method: 'GET', path: '/payers/:payer', operation: 'list-methods', handle: readPayer },
  { method: 'DELETE', path: '/payers/:payer', operation: 'customer', handle: removePayer },
  { method: 'POST', path: '/payers/:payer/sources', operation: 'store', handle: addSource },
  { method: 'DELETE', path: '/payers/:payer/sources/:source', operation: 'remove', handle: removeSource },
]
