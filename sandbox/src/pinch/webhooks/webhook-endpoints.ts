import { type ApiRequest, type ApiResponse, createdResponse, type Endpoint, okResponse } from '../api/endpoint.ts'
import { textField, textsField } from '../api/fields.ts'
import { validationError, notFound } from '../api/pinch-error.ts'
import { toPage } from '../api/pages.ts'
import { newId } from '../store/ids.ts'
import { newSecret, type PinchEvent, type Webhook } from './webhook.ts'

/** A webhook in the form of responses, with its secret. */
const toWebhookResponse = ({ id, uri, secret }: Webhook): object => ({ id, uri, secret })

/**
 * Stores a new webhook, or changes the webhook that `id` names, which keeps its secret.
 * @throws PinchError for an unknown id or a wrong address
 */
const saveWebhook = ({ session, body }: ApiRequest): ApiResponse => {
  const [id, uri = ''] = [textField(body, 'id'), textField(body, 'uri')]
  const known = id === undefined ? undefined : session.find<Webhook>('webhook', id)
  if (id !== undefined && known === undefined) throw validationError('id', `Webhook with id: ${id} not found`)
  if (!URL.canParse(uri)) throw validationError('Uri', "'Uri' is not a valid address.")
  const eventTypes = textsField(body, 'eventTypes')
  const webhook = session.put<Webhook>({
    id: known?.id ?? newId('wbk'),
    object: 'webhook',
    uri,
    secret: known?.secret ?? newSecret(),
    format: textField(body, 'webhookFormat') === 'camel-case' ? 'camel-case' : 'pascal-case',
    eventTypes: eventTypes.length === 0 ? null : eventTypes,
  })
  return known === undefined ? createdResponse(toWebhookResponse(webhook)) : okResponse(toWebhookResponse(webhook))
}

/** The response with a webhook and its secret. @throws PinchError (404) when there is none */
const readWebhook = ({ session, ids }: ApiRequest): ApiResponse => {
  const webhook = session.find<Webhook>('webhook', ids[0] ?? '')
  if (webhook === undefined) throw notFound()
  return okResponse(toWebhookResponse(webhook))
}

/** Removes a webhook. @throws PinchError (400) when there is none */
const removeWebhook = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  if (session.find<Webhook>('webhook', id) === undefined) throw validationError('id', `Webhook with id: ${id} not found`)
  session.remove(id)
  return okResponse('')
}

/** An event as the list shows it, without its data. */
const toEventResponse = ({ id, type, eventDate, metadata }: PinchEvent): object => ({ id, type, eventDate, metadata })

/** The response with an event and its data. @throws PinchError (400) when there is none */
const readEvent = ({ session, ids: [id = ''] }: ApiRequest): ApiResponse => {
  const event = session.find<PinchEvent>('event', id)
  if (event === undefined) throw validationError('eventId', `Could not find an event with Id: ${id}`)
  return okResponse({ ...toEventResponse(event), data: { ...event.data, eventId: id } })
}

/** `/webhooks` and `/events` */
export const webhookEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/webhooks', operation: 'webhook-settings', handle: saveWebhook },
  {
    method: 'GET',
    path: '/webhooks',
    operation: 'webhook-settings',
    handle: ({ session }) => okResponse(session.all<Webhook>('webhook').map(toWebhookResponse)),
  },
  { method: 'GET', path: '/webhooks/:webhook', operation: 'webhook-settings', handle: readWebhook },
  { method: 'DELETE', path: '/webhooks/:webhook', operation: 'webhook-settings', handle: removeWebhook },
  {
    method: 'GET',
    path: '/events',
    operation: 'events',
    handle: ({ session, query }) => okResponse(toPage(query, session.all<PinchEvent>('event').map(toEventResponse))),
  },
  { method: 'GET', path: '/events/:event', operation: 'events', handle: readEvent },
]
