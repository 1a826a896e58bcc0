import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { ServiceItemTexts } from './service-items.queries.ts'

/** Whether the item still has the texts that the sender of an update saw; a text that was not sent is not compared. */
export const isBasedOn = (item: ServiceItem, seen: ServiceItemTexts): boolean =>
  (['description', 'costCentre'] as const).every((field) => seen[field] === undefined || (seen[field] || null) === item[field])

/** The item's texts after an update: a field that was not sent stays, an empty one becomes null. */
export const updatedTexts = (item: ServiceItem, { description, costCentre }: ServiceItemTexts): Required<ServiceItemTexts> => ({
  description: description === undefined ? item.description : description || null,
  costCentre: costCentre === undefined ? item.costCentre : costCentre || null,
})
